import { isObject } from "@jobset-ts/api/kubernetes";

/** An object that JSON encodes as its members. */
export type JsonRecord = Readonly<Record<string, unknown>>;

/** Reports whether a value is an object that JSON encodes as its members. A `Date` is not. */
export function isJsonRecord(value: unknown): value is JsonRecord {
  return isObject(value) && typeof (value as { toJSON?: unknown }).toJSON !== "function";
}

/** Returns an object's own member; `undefined` if it is absent or inherited. */
export function getMember(object: JsonRecord, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
