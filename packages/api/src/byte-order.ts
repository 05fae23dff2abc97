/**
 * Compares two texts by their UTF-8 bytes: Go's sort order, independent of the locale.
 *
 * It differs from JavaScript's `<` if a character beyond U+FFFF is compared with one from U+E000 on. A lone surrogate,
 * which UTF-8 cannot encode, ranks like the former.
 *
 * @returns a negative number, zero or a positive number
 * @example ["b", "B", "\u{1f600}", "\uff5e"].sort(compareBytes) // => ["B", "b", "\uff5e", "\u{1f600}"]
 */
export function compareBytes(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index += 1) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    if (a !== b) return codePointRank(a) - codePointRank(b);
  }
  return left.length - right.length;
}

/** Returns the rank of a UTF-16 unit by the code point to which it belongs: surrogates rank last. */
function codePointRank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
