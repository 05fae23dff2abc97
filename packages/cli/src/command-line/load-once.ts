/**
 * Returns a function that loads a module on its first call only. Each evaluation of `import()` resolves its specifier again,
 * and a command line has one for each option.
 */
export function loadOnce<Module>(load: () => Promise<Module>): () => Promise<Module> {
  let loading: Promise<Module> | undefined;
  return () => {
    loading ??= load();
    return loading;
  };
}
