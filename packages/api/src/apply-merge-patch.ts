import { isObject } from "./members.ts";

/**
 * Returns a JSON value after a merge patch: members are merged, and null removes a member. Any nesting depth
 * is supported.
 *
 * @see RFC 7396
 * @example applyMergePatch({ a: { b: 1, c: 2 } }, { a: { b: null, d: 3 } }) // => { a: { c: 2, d: 3 } }
 */
export function applyMergePatch(value: unknown, patch: unknown): unknown {
  const result: Record<string, unknown> = {};
  const open = [{ holder: result, name: "value", value, patch }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (!isObject(next.patch)) {
      define(next.holder, next.name, next.patch);
      continue;
    }
    const members = Object.fromEntries(Object.entries(isObject(next.value) ? next.value : {}));
    define(next.holder, next.name, members);
    for (const [name, part] of Object.entries(next.patch)) {
      const before = Object.hasOwn(members, name) ? members[name] : undefined;
      if (part === null) delete members[name];
      else {
        define(members, name, before); // keep the position of the member
        open.push({ holder: members, name, value: before, patch: part });
      }
    }
  }
  return result.value;
}

/**
 * Sets a member. A plain assignment does not set a member named `__proto__`. `defineProperty` does, but makes later
 * access in V8 several times slower, so it is used only for this name.
 */
function define(holder: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== "__proto__") holder[name] = value;
  else {
    Object.defineProperty(holder, name, {
      value,
      writable: true,
      enumerable: true,
      configurable: true,
    });
  }
}
