/** Returns a copy of a value after a round trip through JSON. */
export function asJson<Value>(value: Value): Value {
  const text = JSON.stringify(value);
  return text === undefined ? (undefined as Value) : JSON.parse(text);
}

/** Returns a copy of plain JSON data. The caller may change it. It is several times as fast as {@link asJson}. */
export function copyJson<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(copyJson) as Value;
  if (typeof value !== "object" || value === null) return value;
  const copy = { ...value } as Record<string, unknown>;
  for (const name of Object.keys(copy)) copy[name] = copyJson(copy[name]);
  return copy as Value;
}
