/** Does something for each number below `count`, so many side by side. */
export async function getEach(
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
