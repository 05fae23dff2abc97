/**
 * Text of a cluster's on one line, without characters that a page obeys instead of showing them, such as those that turn the
 * direction of what follows.
 *
 * @example printable("a\n\u202eb") // => "a b"
 */
export function printable(text: string): string {
  return text.toWellFormed().replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ");
}
