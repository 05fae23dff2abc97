import type { JsonObject } from "../members.ts";

/** An object's own member; `undefined` when it is absent, null or inherited, which all mean the same. */
export function getMember(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? (object[name] ?? undefined) : undefined;
}

/** Whether a value stands for an absent one: null, or what JSON cannot say. */
export function isAbsent(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}
