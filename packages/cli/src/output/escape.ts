import { escapeUnprintable } from "@jobset-ts/api/text";

/**
 * Text on one line, with {@link escapeUnprintable} escapes, so that what stands in a file can neither move the cursor nor
 * forge a line.
 *
 * @example escapeLine("a\nb") // => "a\\u000ab"
 */
export function escapeLine(text: string): string {
  return escapeUnprintable(text);
}

/**
 * JSON or YAML of ours, whose line breaks are its own, with all other such characters escaped. Both languages read
 * them back where they stand in double quotes.
 *
 * @example escapeText('{\n  "a\u009b": 1\n}') // => '{\n  "a\\u009b": 1\n}'
 */
export function escapeText(text: string): string {
  return escapeUnprintable(text, "\n");
}

/** Whether text holds nothing that {@link escapeText} escapes. */
export function isPrintable(text: string): boolean {
  return escapeText(text) === text;
}

/**
 * The start of a text that is too long to be shown.
 *
 * @param length - in UTF-16 code units, without the mark that the rest is missing
 * @example truncate("replicatedJobs", 5) // => "repli…"
 */
export function truncate(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length)}…`;
}
