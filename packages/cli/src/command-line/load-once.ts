/**
 * Returns a function that loads a module on its first call only. Without it, each of the many options of a command line
 * would resolve `import()` again.
 */
export function loadOnce<Module>(load: () => Promise<Module>): () => Promise<Module> {
  let loading: Promise<Module> | undefined;
  return () => {
    loading ??= load();
    return loading;
  };
}
