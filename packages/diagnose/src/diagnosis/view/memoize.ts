/** Returns a function that computes its value on the first call. */
export function lazily<Value>(make: () => Value): () => Value {
  let created: { readonly value: Value } | undefined;
  return () => {
    created ??= { value: make() };
    return created.value;
  };
}

/** Returns a function that computes the value of each text once. */
export function memoize<Value>(make: (key: string) => Value): (key: string) => Value {
  return memoizeIn(new Map(), make);
}

/** Returns a function that computes the value of each object once, such as of a snapshot, which never changes. */
export function memoizeByObject<Key extends object, Value>(
  make: (key: Key) => Value,
): (key: Key) => Value {
  return memoizeIn(new WeakMap(), make);
}

function memoizeIn<Key, Value>(
  created: {
    get(key: Key): { readonly value: Value } | undefined;
    set(key: Key, value: { readonly value: Value }): unknown;
  },
  make: (key: Key) => Value,
): (key: Key) => Value {
  return (key) => {
    const known = created.get(key);
    if (known !== undefined) return known.value;
    const value = make(key);
    created.set(key, { value });
    return value;
  };
}
