/** Formats an error in one line, whatever its class. */
export function errorText(error: unknown): string {
  const isObject = typeof error === "object" && error !== null;
  const { name, message } = (isObject ? error : {}) as Readonly<Record<string, unknown>>;
  const words = [name, message].filter((one) => typeof one === "string" && one !== "");
  const text = words.length > 0 ? words.join(": ") : isObject ? "an object" : String(error);
  const [line = ""] = text.split("\n");
  return line.length > MAX_LINE_LENGTH ? `${line.slice(0, MAX_LINE_LENGTH)}…` : line;
}

const MAX_LINE_LENGTH = 240;
