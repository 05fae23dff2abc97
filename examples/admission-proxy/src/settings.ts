/** @throws TypeError with a message for the user */
export function getFailurePolicy(text: string): "Fail" | "Ignore" {
  if (text !== "Fail" && text !== "Ignore") {
    throw new TypeError(`failure policy: "${text}" is not Fail or Ignore`);
  }
  return text;
}
