import { asString } from "./members.ts";

// Every supported runtime has this class, but no type library that we use declares it.
declare const TextEncoder: new () => { encode(text: string): Uint8Array };

/** Text in UTF-8. A lone surrogate becomes the replacement character. */
export function encodeUtf8(text: string): Uint8Array {
  encoder ??= new TextEncoder();
  return encoder.encode(asString(text));
}

// Creating an encoder costs more than encoding a short text. It keeps no state between calls.
let encoder: InstanceType<typeof TextEncoder> | undefined;

/**
 * Returns the length of text in UTF-8, in which Kubernetes counts. A lone surrogate counts as the replacement
 * character.
 *
 * @example byteLength("aé") // => 3
 */
export function byteLength(text: string): number {
  const whole = asString(text);
  let bytes = asciiLength(whole);
  for (let index = bytes; index < whole.length; index += 1) {
    const code = whole.codePointAt(index) ?? 0;
    bytes += toBytes(code);
    if (code > 0xffff) index += 1; // The character has two UTF-16 units.
  }
  return bytes;
}

/**
 * Reports whether a text is longer than a number of bytes in UTF-8. It reads only as much of a long text as it needs.
 *
 * @example isLongerThan("aé", 2) // => true
 */
export function isLongerThan(text: string, maxBytes: number): boolean {
  // A UTF-16 unit has one to three bytes.
  const { length } = asString(text);
  return length > maxBytes || (3 * length > maxBytes && byteLength(text) > maxBytes);
}

/**
 * Returns the start of text: as many whole characters as fit into `maxBytes` bytes of UTF-8.
 *
 * @example truncateUtf8("aéé", 4) // => "aé"
 */
export function truncateUtf8(text: string, maxBytes: number): string {
  // A UTF-16 unit has at least one byte.
  const start = asString(text).slice(0, Math.max(maxBytes, 0));
  let bytes = asciiLength(start);
  let end = bytes;
  while (end < start.length) {
    const code = start.codePointAt(end) ?? 0;
    bytes += toBytes(code);
    if (bytes > maxBytes) break;
    end += code > 0xffff ? 2 : 1;
  }
  return start.slice(0, end);
}

/** Returns the number of ASCII characters at the start of text. Each takes one byte. */
function asciiLength(text: string): number {
  const end = text.search(BEYOND_ASCII);
  return end === -1 ? text.length : end;
}

const BEYOND_ASCII = /[^ -~\t\n\r]/;

function toBytes(code: number): number {
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  return code < 0x10000 ? 3 : 4;
}
