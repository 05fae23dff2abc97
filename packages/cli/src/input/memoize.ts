/**
 * Returns a function that creates a value on its first call only. With `() => import("./module.ts")`, it loads the module
 * once; without it, each of the many options of a command line would resolve `import()` again.
 */
export function memoize<Value>(create: () => Value): () => Value {
  let cached: { readonly value: Value } | undefined;
  return () => {
    cached ??= { value: create() };
    return cached.value;
  };
}
