const shortEscapes: Readonly<Record<string, string>> = {
  "\u0007": "\\a",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\v": "\\v",
  '"': '\\"',
  "\\": "\\\\",
};

// Every separator but U+0020, and everything that is no letter, mark, number, punctuation or symbol.
const escaped = /["\\]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu;

/**
 * Text in double quotes with Go's escapes, as Kubernetes shows text inside its error messages.
 *
 * Printable characters stand as they are; the others become `\n` and its kin, `\x01`, `\u00a0` or `\U000e0001`.
 * A lone surrogate, which no UTF-8 text can hold, is shown as U+FFFD, the replacement character.
 *
 * @see Go `strconv.Quote`
 * @example quote('a "b"\n') // => '"a \\"b\\"\\n"'
 */
export function quote(text: string): string {
  return `"${text.toWellFormed().replace(escaped, escapeOf)}"`;
}

function escapeOf(character: string): string {
  const short = shortEscapes[character];
  if (short !== undefined) return short;
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) return `\\x${hex(code, 2)}`;
  return code < 0x10000 ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`;
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, "0");
}
