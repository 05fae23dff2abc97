import { goQuote } from "./quote.ts";
import { byteLength, truncateUtf8 } from "./utf8.ts";

// Limits on what one error shows. A client that sends a megabyte does not get megabytes back. The limits are far above
// what a cluster sends: the longest message seen from upstream has 7 KB.

/** The maximum size of an invalid value in one error, in bytes. */
export const MAX_VALUE_BYTES = 16 * 1024;

/** The maximum size of an error's detail, in bytes. */
export const MAX_DETAIL_BYTES = 8 * 1024;

/** The maximum size of a key in a path, in bytes. The longest valid key has 317. */
export const MAX_KEY_BYTES = 1024;

/**
 * Returns a text, or its start up to `maxBytes` and a `…`.
 *
 * The rest is not read, because it may be long, and the same text may be truncated many times.
 *
 * @example truncateText("aéé", 4) // => "aé…"
 */
export function truncateText(text: string, maxBytes: number): string {
  const start = takeStart(text, maxBytes);
  return start === text ? text : `${start}…`;
}

/**
 * Returns the joined texts of elements, or as many as an error shows of a value, followed by `… (N
 * more)`.
 */
export function truncateList<Element>(
  elements: readonly Element[],
  elementText: (element: Element) => string,
  [open, separator, close]: readonly [open: string, separator: string, close: string],
): string {
  const texts = [open];
  let bytesLeft = MAX_VALUE_BYTES - MARK_BYTES;
  for (const [index, element] of elements.entries()) {
    const text = `${index === 0 ? "" : separator}${elementText(element)}`;
    const start = takeStart(text, bytesLeft);
    texts.push(start);
    if (start !== text) return `${texts.join("")}${omittedSuffix(elements.length - index)}`;
    bytesLeft -= byteLength(text);
  }
  return `${texts.join("")}${close}`;
}

/** Returns text in quotes, or as much of it as errors show, followed by `… (N more)`, which counts UTF-16 units. */
export function truncateQuoted(text: string): string {
  const room = MAX_VALUE_BYTES - MARK_BYTES;
  let start = takeStart(text, room);
  let quoted = goQuote(start);
  // Escapes make text longer.
  for (let bytes = byteLength(quoted); bytes > room; bytes = byteLength(quoted)) {
    start = takeStart(start, Math.floor((byteLength(start) * room) / bytes));
    quoted = goQuote(start);
  }
  return start === text
    ? quoted
    : `${quoted.slice(0, -1)}${omittedSuffix(text.length - start.length)}`;
}

/**
 * Returns a function that formats a value for many errors. It returns the full value until all errors together have
 * reached the limit of one value. After that, it returns only the type, so that the rest of each error fits.
 *
 * @param render - called once
 */
export function shortenRepeatedValue(render: () => string): () => string {
  let text: string | undefined;
  let bytes = 0;
  let left = MAX_VALUE_BYTES;
  return () => {
    const isFirst = text === undefined;
    if (text === undefined) {
      text = render();
      bytes = byteLength(text);
    }
    left -= bytes;
    return isFirst || left >= 0 ? text : '"array"';
  };
}

/** The maximum length of an {@link omittedSuffix} in bytes, with a quote or a bracket before it. */
const MARK_BYTES = 32;

/** Returns the suffix for a truncated value: how many elements, characters or errors are omitted. */
export function omittedSuffix(count: number): string {
  return `… (${count} more)`;
}

function takeStart(text: string, maxBytes: number): string {
  // A UTF-16 unit has at most three bytes.
  return text.length * 3 <= maxBytes ? text : truncateUtf8(text, maxBytes);
}
