// If upstream cannot decode an object, its response contains a message of Go's JSON decoder. That message names Go
// types and depends on the Go version. Such cases have a tag, and only the text before the decoder message is compared.

/** The tags of cases whose text ends with a decoder message. */
const decoderTags: ReadonlySet<string> = new Set(["decodeError", "parserText"]);

/** The members with such a text, in a response, a field error or an output. */
const textMembers: ReadonlySet<string> = new Set(["message", "detail", "error"]);

/** The start of each message of Go's decoder and of the parsers that it calls. */
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
 * Returns the text before the decoder message, or the whole text if there is none.
 *
 * @example removeDecoderMessage("failed to parse annotation: unexpected end of JSON input") // => "failed to parse annotation: "
 */
export function removeDecoderMessage(text: string): string {
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
    const start = removeDecoderMessage(expected);
    if (!textMembers.has(key) || start.length === expected.length) return false;
    return actual.length > start.length && actual.startsWith(start);
  };
}
