/** A JSON object whose members are not known yet. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a JSON value is an object, not a list. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An object's own member; `undefined` when it is absent, null or inherited, which all mean the same. */
export function memberOf(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? (object[name] ?? undefined) : undefined;
}

/** Whether a value stands for an absent one: null, or what JSON cannot say. */
export function isAbsent(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}
