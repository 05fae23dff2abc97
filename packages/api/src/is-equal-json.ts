import { isObject } from "./members.ts";

/** The number of levels that are compared by recursion, which is fast, but could exhaust the stack. */
const MAX_RECURSION = 100;

/**
 * Returns whether two JSON values are equal: objects in any order of their members, and lists in order. Any nesting
 * depth is supported, and parts that both values share are not compared.
 *
 * @example isEqualJson({ a: [1, 2], b: null }, { b: null, a: [1, 2] }) // => true
 */
export function isEqualJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  const pending = [one, other];
  while (pending.length > 0) {
    const right = pending.pop();
    const left = pending.pop();
    if (!isEqualToDepth(left, right, MAX_RECURSION, pending)) return false;
  }
  return true;
}

/** @param deeper - receives the pairs below the depth, which are still to compare */
function isEqualToDepth(one: unknown, other: unknown, depth: number, deeper: unknown[]): boolean {
  if (one === other) return true;
  if (depth === 0) {
    deeper.push(one, other);
    return true;
  }
  if (Array.isArray(one)) {
    if (!Array.isArray(other) || one.length !== other.length) return false;
    for (let index = 0; index < one.length; index++) {
      if (!isEqualToDepth(one[index], other[index], depth - 1, deeper)) return false;
    }
    return true;
  }
  if (!isObject(one) || !isObject(other)) return false;
  const names = Object.keys(one);
  if (names.length !== Object.keys(other).length) return false;
  for (const name of names) {
    if (!Object.hasOwn(other, name)) return false;
    if (!isEqualToDepth(one[name], other[name], depth - 1, deeper)) return false;
  }
  return true;
}
