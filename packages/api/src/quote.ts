import { asString } from "./members.ts";

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

/** Characters that may need an escape. The rest of ASCII does not. */
const NEEDS_ESCAPING = /["\\]|[^ -~]/gu;

/** Letters, marks, numbers, punctuation and symbols. Of the separators, only U+0020 is printable. */
const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S}]$/u;

/**
 * Quotes text with Go's escapes, as Kubernetes shows text in error messages.
 *
 * Printable characters stay as they are. Others become `\n` and the like, `\x01`, `\u00a0` or `\U000e0001`. A lone
 * surrogate, which UTF-8 cannot encode, becomes U+FFFD, the replacement character.
 *
 * @see Go `strconv.Quote`
 * @example goQuote('a "b"\n') // => '"a \\"b\\"\\n"'
 */
export function goQuote(text: string): string {
  return `"${asString(text).toWellFormed().replace(NEEDS_ESCAPING, escapeUnlessPrintable)}"`;
}

function escapeUnlessPrintable(character: string): string {
  const short = shortEscapes[character];
  if (short !== undefined) return short;
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) return `\\x${hex(code, 2)}`;
  if (printable.test(character) && !newerThanGo.test(character)) return character;
  return code < 0x10000 ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`;
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, "0");
}

/**
 * Characters of Unicode 15.1, 16 and 17. Go's tables end with version 15.0 and treat them as unprintable. JavaScript
 * runtimes have different versions, and the result must not depend on the runtime.
 */
const newerThanGo =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: the class lists single code points, including combining marks
  /[\u{88f}-\u{897}\u{c5c}\u{cdc}\u{1acf}-\u{1aeb}\u{1b4e}-\u{1b4f}\u{1b7f}\u{1c89}-\u{1c8a}\u{20c1}\u{2427}-\u{2429}\u{2b96}\u{2ffc}-\u{2fff}\u{31e4}-\u{31ef}\u{a7cb}-\u{a7cf}\u{a7d2}\u{a7d4}\u{a7da}-\u{a7f1}\u{fbc3}-\u{fbd2}\u{fd90}-\u{fd91}\u{fdc8}-\u{fdce}\u{105c0}-\u{105f3}\u{10940}-\u{10959}\u{10d40}-\u{10d8f}\u{10ec2}-\u{10efc}\u{11380}-\u{113e2}\u{116d0}-\u{116e3}\u{11b60}-\u{11bf9}\u{11db0}-\u{11de9}\u{11f5a}\u{13460}-\u{143fa}\u{16100}-\u{16139}\u{16d40}-\u{16d79}\u{16ea0}-\u{16ed3}\u{16ff2}-\u{16ff6}\u{187f8}-\u{187ff}\u{18cff}\u{18d09}-\u{18df2}\u{1cc00}-\u{1cef0}\u{1e5d0}-\u{1e6ff}\u{1f6d8}\u{1f777}-\u{1f77a}\u{1f8b2}-\u{1f8d8}\u{1fa54}-\u{1fa57}\u{1fa89}-\u{1fa8f}\u{1fabe}\u{1fac6}-\u{1facd}\u{1fadc}-\u{1fadf}\u{1fae9}-\u{1faef}\u{1fbcb}-\u{1fbef}\u{1fbfa}\u{2b73a}-\u{2b73f}\u{2cea2}-\u{2cead}\u{2ebf0}-\u{2ee5d}\u{323b0}-\u{33479}]/u;

/**
 * Quotes text as Go's `encoding/json` does, which also escapes HTML characters and line separators.
 *
 * @see Go `encoding/json.Marshal`
 * @example jsonQuote("a<b") // => '"a\\u003cb"'
 */
export function jsonQuote(text: string): string {
  return JSON.stringify(asString(text).toWellFormed()).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
