/** Completion indexes, in ascending order. */
export type IndexSet = ReadonlySet<number>;

const MIN_RANGE_LENGTH = 3;

/**
 * Parses the indexes in a Job's status, up to `bound` (exclusive).
 *
 * @example [...parseIndexes("1,3-5,7", 6)] // => [1, 3, 4, 5]
 */
export function parseIndexes(text: string | undefined, bound: number): Set<number> {
  const indexes = new Set<number>();
  for (const part of (text ?? "").split(",")) {
    if (part === "") continue;
    const [first = Number.NaN, last = first] = part.split("-").map(Number);
    for (let index = first; index <= last && index < bound; index++) indexes.add(index);
  }
  return indexes;
}

/**
 * Formats indexes as in a Job's status: in ascending order, with three or more in a row as a range.
 *
 * @example formatIndexes(new Set([7, 1, 3, 4, 5])) // => "1,3-5,7"
 */
export function formatIndexes(indexes: IndexSet): string {
  const ascending = [...indexes].sort((one, other) => one - other);
  const parts: string[] = [];
  for (let at = 0; at < ascending.length; ) {
    let end = at + 1;
    while (ascending[end] === (ascending[end - 1] ?? 0) + 1) end += 1;
    const run = ascending.slice(at, end);
    if (run.length < MIN_RANGE_LENGTH) parts.push(...run.map(String));
    else parts.push(`${run[0]}-${run.at(-1)}`);
    at = end;
  }
  return parts.join(",");
}

/**
 * Returns the lowest indexes below `bound` that are in none of the given sets.
 *
 * @param count - the maximum number of indexes
 */
export function findLowestFreeIndexes(
  usedSets: readonly IndexSet[],
  { bound, count }: { readonly bound: number; readonly count: number },
): readonly number[] {
  const free: number[] = [];
  for (let index = 0; index < bound && free.length < count; index++) {
    if (!usedSets.some((set) => set.has(index))) free.push(index);
  }
  return free;
}
