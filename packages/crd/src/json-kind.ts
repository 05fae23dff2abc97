import { isInt64 } from "@jobset-ts/api/typed";

/**
 * What a JSON value is to the API server.
 *
 * A whole number that 64 bits can hold is an `integer`, any other a `number`. JavaScript reads `1.0` as `1` and
 * 2^63−1 as 2^63; both count as the integers that a sender is likely to have meant.
 */
export type JsonKind = "null" | "boolean" | "string" | "integer" | "number" | "array" | "object";

/** Returns the kind of a value. What JSON cannot say (`undefined`, a function, a bigint) is as absent as null. */
export function jsonKind(value: unknown): JsonKind {
  switch (typeof value) {
    case "string":
      return "string";
    case "boolean":
      return "boolean";
    case "number":
      return isInt64(value) ? "integer" : "number";
    case "object":
      if (value === null) return "null";
      return Array.isArray(value) ? "array" : "object";
    default:
      return "null";
  }
}

/** Reports whether a value is a list. */
export function isArray(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

/** Sets a member of an object that is being built; `__proto__` is a name like any other. */
export function setMember(object: Record<string, unknown>, name: string, value: unknown) {
  if (name === "__proto__") {
    Object.defineProperty(object, name, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  } else {
    object[name] = value;
  }
}
