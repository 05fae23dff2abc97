import fc from "fast-check";

/**
 * What a property claims.
 *
 * @throws Error when it does not hold, which is how fast-check learns of it
 */
export function claim(holds: boolean, text: string, ...about: readonly unknown[]): void {
  if (holds) return;
  throw new Error([text, ...about.map((one) => fc.stringify(one))].join("\n"));
}

/** That two values are the same plain data: members, absent ones included, and the order of lists. */
export function claimSame(actual: unknown, expected: unknown, text: string): void {
  claim(isSame(actual, expected), text, { expected, actual });
}

/** Whether two values are that. */
export function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (!isObject(one) || !isObject(other)) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isSame(one[name], other[name]))
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
