import { isObject } from "./members.ts";

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
    if (left === right) continue;
    if (Array.isArray(left) && Array.isArray(right)) {
      if (left.length !== right.length) return false;
      for (let index = 0; index < left.length; index++) pending.push(left[index], right[index]);
    } else if (isObject(left) && isObject(right)) {
      const names = Object.keys(left);
      if (names.length !== Object.keys(right).length) return false;
      for (const name of names) {
        if (!Object.hasOwn(right, name)) return false;
        pending.push(left[name], right[name]);
      }
    } else return false;
  }
  return true;
}
