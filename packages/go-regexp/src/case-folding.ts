import { type CodePointRange, type CodePointSet, codePointSet } from "./code-point-set.ts";
import { FOLDED_PAIRS, FOLDED_SETS } from "./unicode-tables.ts";

/**
 * Returns the code points that match this one under `(?i)`, including itself, in ascending order: those with the
 * same simple case folding in Unicode 15.0.
 *
 * @example caseVariants(0x6b) // => [0x4b, 0x6b, 0x212a]
 * @example caseVariants(0x31) // => [0x31]
 */
export function caseVariants(codePoint: number): readonly number[] {
  return getCaseFolding().variants.get(codePoint) ?? [codePoint];
}

/**
 * Returns the set with the case variants of its members, which is the meaning of the set under
 * `(?i)`.
 *
 * @example withCaseVariants([[0x73, 0x74]]) // => [[0x53, 0x54], [0x73, 0x74], [0x17f, 0x17f]]
 */
export function withCaseVariants(set: CodePointSet): CodePointSet {
  const { variants, folded } = getCaseFolding();
  const ranges: CodePointRange[] = [...set];
  for (const [first, last] of set) {
    for (let i = firstAtLeast(folded, first); (folded[i] ?? Infinity) <= last; i++) {
      for (const variant of variants.get(folded[i] ?? 0) ?? []) {
        if (variant < first || variant > last) {
          ranges.push([variant, variant]);
        }
      }
    }
  }
  return codePointSet(ranges);
}

/** Returns how many code points of a range have case variants other than themselves. */
export function foldedCount([first, last]: CodePointRange): number {
  const { folded } = getCaseFolding();
  return firstAtLeast(folded, last + 1) - firstAtLeast(folded, first);
}

interface CaseFoldingTables {
  readonly variants: ReadonlyMap<number, readonly number[]>;
  /** The code points that have case variants other than themselves, in ascending order. */
  readonly folded: readonly number[];
}

// Decoded when a pattern first needs it. Most patterns never do.
let decoded: CaseFoldingTables | undefined;

function getCaseFolding(): CaseFoldingTables {
  decoded ??= decodeFolding();
  return decoded;
}

function decodeFolding(): CaseFoldingTables {
  const variants = new Map<number, readonly number[]>();
  for (const run of FOLDED_PAIRS.trim().split(/\s+/)) {
    const [first = 0, distance = 0, count = 0, step = 1] = numbers(run);
    for (let i = 0; i < count; i++) {
      const lower = first + i * step;
      addAll(variants, [lower, lower + distance]);
    }
  }
  for (const set of FOLDED_SETS.trim().split(/\s+/)) {
    addAll(variants, numbers(set));
  }
  return { variants, folded: [...variants.keys()].sort((a, b) => a - b) };
}

function addAll(variants: Map<number, readonly number[]>, members: readonly number[]): void {
  for (const member of members) {
    variants.set(member, members);
  }
}

function numbers(list: string): number[] {
  return list.split(",").map((digits) => Number.parseInt(digits, 36));
}

/** Returns the index of the first number in an ascending list that is not less than the bound. */
function firstAtLeast(ascending: readonly number[], bound: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? 0) < bound) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}
