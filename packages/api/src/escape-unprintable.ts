/**
 * Characters that are invisible and may change the text: C0 and C1 controls, format characters such as those of
 * bidirectional text, line and paragraph separators, and lone surrogates.
 */
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/**
 * Escapes the characters of a text that could move a cursor, forge a line or reverse text, as `\u` escapes of JSON.
 *
 * @param allowed - characters to keep, such as line breaks
 * @example escapeUnprintable("a\nb\u009b\u202e") // => "a\\u000ab\\u009b\\u202e"
 */
export function escapeUnprintable(text: string, allowed = ""): string {
  return text.replace(unprintable, (character) =>
    allowed.includes(character) ? character : escapeCharacter(character),
  );
}

function escapeCharacter(character: string): string {
  return Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`,
  ).join("");
}
