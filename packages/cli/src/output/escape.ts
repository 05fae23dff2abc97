import { escapeUnprintable } from "@jobset-ts/api/text";

/**
 * Escapes text for one line with {@link escapeUnprintable}, so that the content of a file can neither move the cursor
 * nor forge a line.
 *
 * @example escapeLine("a\nb") // => "a\\u000ab"
 */
export function escapeLine(text: string): string {
  return escapeUnprintable(text);
}

/**
 * Escapes control characters in JSON or YAML output, except its own line breaks. Both languages decode these escapes in
 * double quotes.
 *
 * @example escapeText('{\n  "a\u009b": 1\n}') // => '{\n  "a\\u009b": 1\n}'
 */
export function escapeText(text: string): string {
  return escapeUnprintable(text, "\n");
}

/** Returns whether {@link escapeText} leaves the text unchanged. */
export function isPrintable(text: string): boolean {
  return escapeText(text) === text;
}

/**
 * Truncates a long text.
 *
 * @param length - in UTF-16 code units, without the ellipsis
 * @example truncate("replicatedJobs", 5) // => "repli…"
 */
export function truncate(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length)}…`;
}

/**
 * Truncates a long text in its middle. The end of an error message often has its cause.
 *
 * @param length - in UTF-16 code units, without the ellipsis
 * @example truncateMiddle("replicatedJobs", 6) // => "repl…bs"
 */
export function truncateMiddle(text: string, length: number): string {
  if (text.length <= length) return text;
  const end = Math.floor(length / 3);
  return `${text.slice(0, length - end)}…${text.slice(text.length - end)}`;
}
