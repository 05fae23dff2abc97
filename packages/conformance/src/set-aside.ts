/**
 * The tags of cases where upstream's answer is an accident of Go: an overflow of int32, a message read as a
 * format string, a shared pointer, a patch of nil, an array that is shorter than its count. There is
 * nothing to be faithful to, so they are replayed and counted apart; nothing else is.
 */
const setAsideTags: readonly string[] = [
  "int32Wrap",
  "percentGarbled",
  "tolerationSecondsMerge",
  "scaleNull",
  "shortCountedArray",
];

/** Under which name a case with these tags is counted apart; `undefined` when it counts. */
export function setAsideAs(tags: readonly string[]): string | undefined {
  const named = setAsideTags.filter((tag) => tags.includes(tag));
  return named.length === 0 ? undefined : named.join(" and ");
}
