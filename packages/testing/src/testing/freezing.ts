/** The maximum depth of these functions, so that no value overflows the stack. Deeper parts are shared. */
const MAX_DEPTH = 250;

/**
 * Freezes a value and its parts down to 250 levels, and returns it.
 *
 * @example Object.isFrozen(deepFreeze({ a: { b: 1 } }).a) // => true
 */
export function deepFreeze<Value>(value: Value): Value {
  return freezeToDepth(value, 0);
}

function freezeToDepth<Value>(value: Value, depth: number): Value {
  if (typeof value !== "object" || value === null || depth === MAX_DEPTH) return value;
  for (const part of Object.values(value)) freezeToDepth(part, depth + 1);
  return Object.freeze(value);
}

/**
 * Returns the path of the first frozen object in a value, including the value itself. Undefined if nothing is frozen.
 * Ignores parts below 250 levels.
 *
 * @example
 * findFrozenPath({ a: Object.freeze({ b: 1 }) }) // => "$.a"
 * findFrozenPath({ a: { b: 1 } }) // => undefined
 */
export function findFrozenPath(value: unknown, path = "$"): string | undefined {
  return frozenBelow(value, path, 0);
}

function frozenBelow(value: unknown, path: string, depth: number): string | undefined {
  if (typeof value !== "object" || value === null || depth === MAX_DEPTH) return undefined;
  if (Object.isFrozen(value)) return path;
  for (const [name, member] of Object.entries(value)) {
    const part = frozenBelow(member, `${path}.${name}`, depth + 1);
    if (part !== undefined) return part;
  }
  return undefined;
}

/**
 * Returns a deep copy without frozen objects. Parts below 250 levels are shared.
 *
 * @example Object.isFrozen(deepClone(Object.freeze({ a: 1 }))) // => false
 */
export function deepClone<Value>(value: Value): Value {
  return copyValue(value, 0);
}

function copyValue<Value>(value: Value, depth: number): Value {
  if (typeof value !== "object" || value === null || depth === MAX_DEPTH) return value;
  if (value instanceof Date) return new Date(value) as Value;
  if (Array.isArray(value)) return value.map((part) => copyValue(part, depth + 1)) as Value;
  const copy = Object.create(Object.getPrototypeOf(value));
  for (const [name, part] of Object.entries(value)) {
    // An assignment to `__proto__` would not create a field.
    const member = {
      value: copyValue(part, depth + 1),
      writable: true,
      enumerable: true,
      configurable: true,
    };
    Object.defineProperty(copy, name, member);
  }
  return copy;
}
