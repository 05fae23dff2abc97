/**
 * Returns a function that computes a value once for each object, because many laws read the same value. Versions of
 * stored objects and requests never change.
 */
export function memoizeBy<Key extends object, Value>(
  compute: (object: Key) => Value,
): (object: Key) => Value {
  const computed = new WeakMap<Key, { readonly value: Value }>();
  return (object) => {
    let known = computed.get(object);
    if (known === undefined) {
      known = { value: compute(object) };
      computed.set(object, known);
    }
    return known.value;
  };
}
