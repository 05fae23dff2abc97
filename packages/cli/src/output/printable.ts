const unprintable = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

/**
 * Text with its control characters escaped, so that what stands in a file can neither move the cursor nor forge a line.
 *
 * @example printable("a\nb") // => "a\\u000ab"
 */
export function printable(text: string): string {
  return text.toWellFormed().replace(unprintable, escaped);
}

/**
 * JSON or YAML of ours, whose line breaks are its own, with all other control characters escaped. Both languages read
 * them back where they stand in double quotes.
 *
 * @example printableLines('{\n  "a\u009b": 1\n}') // => '{\n  "a\\u009b": 1\n}'
 */
export function printableLines(text: string): string {
  return text.replace(unprintable, (character) =>
    character === "\n" ? character : escaped(character),
  );
}

/** Whether text holds what {@link printableLines} escapes. */
export function isPrintable(text: string): boolean {
  return printableLines(text) === text;
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
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
