/** A value as it comes over the wire: a copy of its own, without what JSON has no word for. */
export function asJson<Value>(value: Value): Value {
  const text = JSON.stringify(value);
  return text === undefined ? (undefined as Value) : JSON.parse(text);
}
