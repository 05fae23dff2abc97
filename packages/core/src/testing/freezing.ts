/** Freezes a value and all that hangs on it, and returns it. */
export function deepFreeze<Value>(value: Value): Value {
  if (typeof value === "object" && value !== null) Object.values(value).forEach(deepFreeze);
  return Object.freeze(value);
}

/** The path of the first frozen object in a value, itself included; `undefined` when nothing is frozen. */
export function frozenPart(value: unknown, path = "$"): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (Object.isFrozen(value)) return path;
  for (const [name, member] of Object.entries(value)) {
    const part = frozenPart(member, `${path}.${name}`);
    if (part !== undefined) return part;
  }
  return undefined;
}
