/** A set of code points: inclusive ranges in ascending order that neither touch nor overlap. */
export type CodePointSet = readonly CodePointRange[];

/** From the first to the last code point, inclusive. Never empty. */
export type CodePointRange = readonly [first: number, last: number];

/** The largest code point, U+10FFFF. */
export const LAST_CODE_POINT = 0x10ffff;

/**
 * Returns the set of all code points in these ranges, in any order.
 *
 * @example codePointSet([[5, 9], [1, 2], [3, 6]]) // => [[1, 9]]
 */
export function codePointSet(ranges: readonly CodePointRange[]): CodePointSet {
  const set: CodePointRange[] = [];
  let previous: CodePointRange | undefined;
  for (const range of ranges.toSorted((a, b) => a[0] - b[0])) {
    if (previous === undefined || range[0] > previous[1] + 1) {
      previous = range;
      set.push(range);
    } else if (range[1] > previous[1]) {
      previous = [previous[0], range[1]];
      set[set.length - 1] = previous;
    }
  }
  return set;
}

/** Reports whether a code point is in the set. */
export function includes(set: CodePointSet, codePoint: number): boolean {
  let low = 0;
  let high = set.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const [first, last] = set[middle] as CodePointRange;
    if (codePoint < first) high = middle;
    else if (codePoint > last) low = middle + 1;
    else return true;
  }
  return false;
}

/**
 * Returns all code points that are not in the set. Surrogates count as code points, as they do in Go.
 *
 * @example complement([[0, 9], [11, 0x10ffff]]) // => [[10, 10]]
 */
export function complement(set: CodePointSet): CodePointSet {
  const gaps: CodePointRange[] = [];
  let from = 0;
  for (const [first, last] of set) {
    if (first > from) {
      gaps.push([from, first - 1]);
    }
    from = last + 1;
  }
  if (from <= LAST_CODE_POINT) {
    gaps.push([from, LAST_CODE_POINT]);
  }
  return gaps;
}
