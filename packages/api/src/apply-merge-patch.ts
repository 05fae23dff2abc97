import { isObject } from "./members.ts";

/**
 * A JSON value after a merge patch: members are merged, null removes.
 *
 * @see RFC 7396
 * @example applyMergePatch({ a: { b: 1, c: 2 } }, { a: { b: null, d: 3 } }) // => { a: { c: 2, d: 3 } }
 */
export function applyMergePatch(value: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const members = new Map(Object.entries(isObject(value) ? value : {}));
  for (const [name, part] of Object.entries(patch)) {
    if (part === null) members.delete(name);
    else members.set(name, applyMergePatch(members.get(name), part));
  }
  return Object.fromEntries(members);
}
