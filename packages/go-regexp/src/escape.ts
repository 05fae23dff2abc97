import { LAST_CODE_POINT } from "./code-point-set.ts";
import { createPatternError, type PatternError, type Read } from "./pattern-error.ts";

/**
 * Reads an escape for one code point, inside or outside a class: `\n`, `\.`, `\x41`, `\x{1F600}`, `\101`. A
 * single non-zero digit would be a back-reference. It is rejected, and so is any other letter.
 *
 * @param at - the offset of the backslash
 * @returns the code point, which may be a surrogate, for example for `\x{D800}`
 */
export function readEscape(text: string, at: number): Read<number> {
  const character = characterAt(text, at + 1);
  if (character === "") {
    return createPatternError("trailing backslash at end of expression", "");
  }
  if (character === "x") {
    return readHexadecimal(text, at);
  }
  const octal = OCTAL.exec(text.slice(at + 1, at + 4))?.[0];
  if (octal !== undefined) {
    return { ok: true, value: Number.parseInt(octal, 8), end: at + 1 + octal.length };
  }
  const end = at + 1 + character.length;
  const control = CONTROLS.get(character);
  if (control !== undefined) {
    return { ok: true, value: control, end };
  }
  if (PUNCTUATION.test(character)) {
    return { ok: true, value: character.charCodeAt(0), end };
  }
  return invalidEscape(text, at, end);
}

/** Returns the character at an offset, both halves of a surrogate pair; empty at the end of the text. */
export function characterAt(text: string, at: number): string {
  const codePoint = text.codePointAt(at);
  return codePoint === undefined ? "" : String.fromCodePoint(codePoint);
}

const OCTAL = /^(?:0[0-7]{0,2}|[1-7][0-7]{1,2})/;
const HEXADECIMAL = /^[0-9A-Fa-f]+$/;
/** ASCII characters that are neither letters nor digits, including control characters. */
const PUNCTUATION = /^(?![0-9A-Za-z])\p{ASCII}$/u;
const CONTROLS: ReadonlyMap<string, number> = new Map([
  ["a", 0x07],
  ["f", 0x0c],
  ["n", 0x0a],
  ["r", 0x0d],
  ["t", 0x09],
  ["v", 0x0b],
]);

function readHexadecimal(text: string, at: number): Read<number> {
  if (text[at + 2] === "{") {
    return readBracedHexadecimal(text, at);
  }
  const first = characterAt(text, at + 2);
  const second = characterAt(text, at + 2 + first.length);
  const digits = first + second;
  const end = at + 2 + digits.length;
  return digits.length === 2 && HEXADECIMAL.test(digits)
    ? { ok: true, value: Number.parseInt(digits, 16), end }
    : invalidEscape(text, at, end);
}

function readBracedHexadecimal(text: string, at: number): Read<number> {
  const firstDigit = at + 3;
  let value = 0;
  let end = firstDigit;
  for (;;) {
    const character = characterAt(text, end);
    end += character.length;
    if (character === "}" && end > firstDigit + 1) {
      return { ok: true, value, end };
    }
    if (!HEXADECIMAL.test(character)) {
      return invalidEscape(text, at, end);
    }
    value = value * 16 + Number.parseInt(character, 16);
    if (value > LAST_CODE_POINT) {
      return invalidEscape(text, at, end);
    }
  }
}

function invalidEscape(text: string, at: number, end: number): PatternError {
  return createPatternError("invalid escape sequence", text.slice(at, end));
}
