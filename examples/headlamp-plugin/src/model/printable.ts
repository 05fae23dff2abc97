/**
 * Returns text from the cluster on one line, without control characters such as those that change the text direction.
 *
 * @example printable("a\n\u202eb") // => "a b"
 */
export function printable(text: string): string {
  return text.toWellFormed().replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ");
}
