import type { JsonObject } from "../members.ts";

/** Returns an object's own member; `undefined` if it is absent, null or inherited, which all mean the same. */
export function getMember(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? (object[name] ?? undefined) : undefined;
}

/** Reports whether a value counts as absent: null, or a value that JSON cannot represent. */
export function isAbsent(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}
