// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to be escaped
const unprintable = /[\0-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/**
 * Text with its control characters escaped, so that what stands in a file can neither move the cursor nor forge a line.
 *
 * @example printable("a\nb") // => "a\\u000ab"
 */
export function printable(text: string): string {
  return text
    .toWellFormed()
    .replace(
      unprintable,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );
}

/**
 * The start of a text that is too long to be shown.
 *
 * @param length - in UTF-16 code units, without the mark that the rest is missing
 * @example shortened("replicatedJobs", 5) // => "repli…"
 */
export function shortened(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length)}…`;
}
