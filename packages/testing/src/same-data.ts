/**
 * Returns whether two values are the same plain data: the same fields, including undefined ones, in any order, and the
 * same list elements in order. Dates are compared by time. Any nesting depth is supported.
 */
export function isSameData(one: unknown, other: unknown): boolean {
  const pairs: [unknown, unknown][] = [[one, other]];
  for (;;) {
    const pair = pairs.pop();
    if (pair === undefined) return true;
    const [left, right] = pair;
    if (Object.is(left, right)) continue;
    if (!isObject(left) || !isObject(right)) return false;
    if (Array.isArray(left) !== Array.isArray(right)) return false;
    if (left instanceof Date && !Object.is(left.getTime(), parseTimeOfDay(right))) return false;
    const names = Object.keys(left);
    if (names.length !== Object.keys(right).length) return false;
    for (const name of names) {
      if (!Object.hasOwn(right, name)) return false;
      pairs.push([left[name], right[name]]);
    }
  }
}

function parseTimeOfDay(value: unknown): number | undefined {
  return value instanceof Date ? value.getTime() : undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
