// Where upstream cannot read an object it answers with the words of Go's JSON decoder, which name Go types and
// change with Go's version. A case says so with a tag; of such a text only what stands before those words counts.

/** The tags of cases whose text ends in the decoder's words. */
const decoderTags: ReadonlySet<string> = new Set(["decodeError", "parserText"]);

/** The members that hold such a text: of a response, of a field error, of an output. */
const textMembers: ReadonlySet<string> = new Set(["message", "detail", "error"]);

/** How the words of Go's decoder, and of the parsers that it calls, begin. */
const beginnings = [
  "json: ",
  "invalid character '",
  "unexpected end of JSON input",
  String.raw`\.[\w.\[\]]* accessor error: `,
  "quantities must match ",
  "unable to parse quantity's suffix",
  "unable to parse numeric part of quantity",
  'parsing time "',
  String.raw`strconv\.`,
];
const decoderWords = new RegExp(beginnings.join("|"));

/**
 * What stands before the decoder's words; of a text without any such words, all of it.
 *
 * @example textBeforeDecoder("failed to parse annotation: unexpected end of JSON input") // => "failed to parse annotation: "
 */
export function textBeforeDecoder(text: string): string {
  const start = text.search(decoderWords);
  return start === -1 ? text : text.slice(0, start);
}

/**
 * Returns how the texts of a case with these tags are compared, for {@link CompareOptions}. `undefined` if they must be
 * equal.
 *
 * Our text must begin like upstream's and then add something. All other members, code and reason among them, are
 * compared as usual.
 */
export function textComparisonFor(
  tags: readonly string[],
): ((expected: string, actual: string, key: string) => boolean) | undefined {
  if (!tags.some((tag) => decoderTags.has(tag))) return undefined;
  return (expected, actual, key) => {
    const start = textBeforeDecoder(expected);
    if (!textMembers.has(key) || start.length === expected.length) return false;
    return actual.length > start.length && actual.startsWith(start);
  };
}
