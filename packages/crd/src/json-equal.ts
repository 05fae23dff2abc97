import { isObject, type JsonObject } from "@jobset-ts/api/kubernetes";

import { isArray } from "./json-kind.ts";

/**
 * Reports whether two JSON values are equal: objects in any order of their members, and lists in order.
 * Deeply nested values do not exhaust the stack, and parts that both share are not compared.
 */
export function jsonEqual(one: unknown, other: unknown): boolean {
  const pending: [unknown, unknown][] = [[one, other]];
  for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
    const [left, right] = pair;
    if (left === right) continue;
    if (isArray(left) && isArray(right)) {
      if (left.length !== right.length) return false;
      for (const [index, element] of left.entries()) pending.push([element, right[index]]);
    } else if (isObject(left) && isObject(right)) {
      if (!pushMembers(pending, left, right)) return false;
    } else {
      return false;
    }
  }
  return true;
}

function pushMembers(pending: [unknown, unknown][], left: JsonObject, right: JsonObject): boolean {
  const names = Object.keys(left);
  if (names.length !== Object.keys(right).length) return false;
  for (const name of names) {
    if (!Object.hasOwn(right, name)) return false;
    pending.push([left[name], right[name]]);
  }
  return true;
}
