/**
 * A record with one member set anew; the one given stays as it is. For what happens at every write: to assign is several
 * times as fast as a name that is computed in a literal.
 */
export function withMember<Value>(
  record: Readonly<Record<string, Value>>,
  name: string,
  value: Value,
): Readonly<Record<string, Value>> {
  const next = { ...record };
  next[name] = value;
  return next;
}
