/**
 * The tags of cases in which upstream's result is an accident of Go: an int32 overflow, a message used as a format
 * string, a shared pointer, a patch of nil, an array that is shorter than its count. There is no behavior to reproduce,
 * so only these cases are replayed and counted separately.
 */
const setAsideTags: readonly string[] = [
  "int32Wrap",
  "percentGarbled",
  "tolerationSecondsMerge",
  "scaleNull",
  "shortCountedArray",
  // The release panics, and there is no output.
  "crash",
];

/** Returns the tag under which a case is set aside, or `undefined` if it counts. */
export function getSetAsideTag(tags: readonly string[]): string | undefined {
  const named = setAsideTags.filter((tag) => tags.includes(tag));
  return named.length === 0 ? undefined : named.join(" and ");
}
