/** Calls a function for each number below `count`, with limited concurrency. */
export async function forEachIndex(
  count: number,
  act: (index: number) => Promise<unknown>,
  sideBySide: number,
): Promise<void> {
  let next = 0;
  const work = async () => {
    while (next < count) {
      next += 1;
      await act(next - 1);
    }
  };
  await Promise.all(Array.from({ length: sideBySide }, work));
}
