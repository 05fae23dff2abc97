import { isInt64 } from "@jobset-ts/api/typed";

/**
 * The kind of a JSON value in the API server. A whole number that fits into 64 bits is an `integer`, and any
 * other number a `number`. JavaScript reads `1.0` as `1` and 2^63−1 as 2^63. Both count as integers, because
 * the sender probably meant that.
 */
export type JsonKind = "null" | "boolean" | "string" | "integer" | "number" | "array" | "object";

/**
 * Returns the kind of a value. Values that JSON cannot represent (`undefined`, a function, a bigint) count as
 * absent, like null.
 */
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

/** Sets a member of an object under construction, including `__proto__`. */
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
