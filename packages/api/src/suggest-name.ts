/**
 * Returns the end of an error message about an unknown name: a known name that the user may mean. Names that differ only by
 * case, `-` or `_` count as equal. Otherwise, a few characters may be missing, added, wrong or swapped, at most one in
 * three. If no name is that close, words of the known name may be missing.
 *
 * @param known - the names that exist; of equally close ones the first wins
 * @returns empty if no name is close
 * @example suggestName("replicatedjob", ["network", "replicatedJobs"]) // => " (Did you mean replicatedJobs?)"
 */
export function suggestName(written: string, known: Iterable<string>): string {
  const names = [...known];
  const closest = closestName(written, names) ?? nameWithMoreWords(written, names);
  return closest === undefined ? "" : ` (Did you mean ${closest}?)`;
}

function closestName(written: string, known: Iterable<string>): string | undefined {
  if (written.length > MAX_LENGTH) return undefined;
  const folded = foldName(written);
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const name of known) {
    const other = foldName(name);
    const most = Math.min(MAX_DISTANCE, Math.floor(Math.max(folded.length, other.length) / 3));
    if (Math.abs(folded.length - other.length) > most) continue;
    const distance = editDistance(folded, other);
    if (distance > most || (best !== undefined && best.distance <= distance)) continue;
    best = { name, distance };
  }
  return best?.name;
}

/** Returns the first name with the same words and others between them, such as `startupPolicyOrder` for `startupOrder`. */
function nameWithMoreWords(written: string, known: readonly string[]): string | undefined {
  if (written.length > MAX_LENGTH) return undefined;
  const words = splitWords(written);
  // A single word occurs in names with different meanings.
  if (words.length < 2) return undefined;
  return known.find((name) => {
    let found = 0;
    for (const word of splitWords(name)) if (word === words[found]) found += 1;
    return found === words.length;
  });
}

function splitWords(name: string): readonly string[] {
  const words = name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+/g) ?? [];
  return words.map((word) => word.toLowerCase());
}

/** Longer texts are not names, and comparing them is slow. */
const MAX_LENGTH = 256;

/** A name with more than three differences is a different word. */
const MAX_DISTANCE = 3;

function foldName(name: string): string {
  return name.toLowerCase().replace(/[-_]/g, "");
}

/**
 * Returns the minimum number of characters to insert, remove, replace or swap with their neighbor (optimal
 * string alignment).
 */
function editDistance(one: string, other: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let at = 1; at <= one.length; at++) {
    const row = [at];
    for (let to = 1; to <= other.length; to++) {
      const isEqual = one[at - 1] === other[to - 1];
      const replaced = (last[to - 1] ?? 0) + (isEqual ? 0 : 1);
      let least = Math.min((last[to] ?? 0) + 1, (row[to - 1] ?? 0) + 1, replaced);
      if (one[at - 1] === other[to - 2] && one[at - 2] === other[to - 1] && at > 1 && to > 1) {
        least = Math.min(least, (beforeLast[to - 2] ?? 0) + 1);
      }
      row.push(least);
    }
    [beforeLast, last] = [last, row];
  }
  return last[other.length] ?? 0;
}
