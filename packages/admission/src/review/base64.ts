import { encodeUtf8 } from "@jobset-ts/api/text";
import { decodeUtf8 } from "./utf8.ts";

/**
 * Encodes text as the base64 of its UTF-8, as a webhook's response carries a patch. Implemented here, because no
 * runtime function for it exists everywhere. A lone surrogate becomes the replacement character.
 *
 * @see RFC 4648 section 4
 * @example encodeBase64("ö[]") // => "w7ZbXQ=="
 */
export function encodeBase64(text: string): string {
  const bytes = encodeUtf8(text);
  const byteAt = (index: number): number => bytes[index] ?? 0;
  const digits = new Uint8Array(Math.ceil(bytes.length / 3) * 4);
  const whole = bytes.length - (bytes.length % 3);
  let at = 0;
  for (let index = 0; index < whole; index += 3) {
    const group = (byteAt(index) << 16) | (byteAt(index + 1) << 8) | byteAt(index + 2);
    digits[at++] = getCode(group >> 18);
    digits[at++] = getCode((group >> 12) & 63);
    digits[at++] = getCode((group >> 6) & 63);
    digits[at++] = getCode(group & 63);
  }
  if (whole < bytes.length) {
    const [high, middle] = [byteAt(whole), byteAt(whole + 1)];
    digits[at++] = getCode(high >> 2);
    digits[at++] = getCode(((high & 3) << 4) | (middle >> 4));
    digits[at++] = whole + 1 < bytes.length ? getCode((middle & 15) << 2) : padding;
    digits[at] = padding;
  }
  return decodeUtf8(digits);
}

/**
 * Returns the text of a base64 string, decoded as UTF-8, as in the `patch` of a response.
 *
 * @returns `undefined` when it is no base64: no text, other characters, blanks among them, or no padding
 * @example decodeBase64("w7ZbXQ==") // => "ö[]"
 */
export function decodeBase64(base64: string): string | undefined {
  const syntax = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
  if (typeof base64 !== "string" || !syntax.test(base64)) return undefined;
  const digits = base64.replace(/=+$/, "");
  const bytes = new Uint8Array(Math.floor((digits.length * 3) / 4));
  let bits = 0;
  let at = 0;
  for (let index = 0; index < digits.length; index++) {
    bits = ((bits << 6) | alphabet.indexOf(digits[index] as string)) & 0xffffff;
    // Every digit except the first of four completes a byte.
    if (index % 4 > 0) bytes[at++] = (bits >> (6 - (index % 4) * 2)) & 255;
  }
  return decodeUtf8(bytes);
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const codes = Uint8Array.from(alphabet, (digit) => digit.charCodeAt(0));
const padding = "=".charCodeAt(0);

function getCode(sextet: number): number {
  return codes[sextet] as number;
}
