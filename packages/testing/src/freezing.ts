/**
 * Freezes a value and all that hangs on it, and returns it.
 *
 * @example Object.isFrozen(deepFreeze({ a: { b: 1 } }).a) // => true
 */
export function deepFreeze<Value>(value: Value): Value {
  if (typeof value === "object" && value !== null) Object.values(value).forEach(deepFreeze);
  return Object.freeze(value);
}

/**
 * The path of the first frozen object in a value, itself included; `undefined` when nothing is frozen.
 *
 * @example
 * frozenPart({ a: Object.freeze({ b: 1 }) }) // => "$.a"
 * frozenPart({ a: { b: 1 } }) // => undefined
 */
export function frozenPart(value: unknown, path = "$"): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (Object.isFrozen(value)) return path;
  for (const [name, member] of Object.entries(value)) {
    const part = frozenPart(member, `${path}.${name}`);
    if (part !== undefined) return part;
  }
  return undefined;
}

/**
 * A copy of which no part is frozen, nor shared with the original.
 *
 * @example Object.isFrozen(thawed(Object.freeze({ a: 1 }))) // => false
 */
export function thawed<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Date) return new Date(value) as Value;
  if (Array.isArray(value)) return value.map(thawed) as Value;
  const copy = Object.create(Object.getPrototypeOf(value));
  for (const [name, part] of Object.entries(value)) {
    // Not assigned: a member called __proto__ stays one.
    const member = { value: thawed(part), writable: true, enumerable: true, configurable: true };
    Object.defineProperty(copy, name, member);
  }
  return copy;
}
