import {
  ANY_BUT_NEWLINE,
  ANY_CHARACTER,
  type CharacterClass,
  readBrackets,
  readClassEscape,
} from "./character-class.ts";
import { characterAt, readEscape } from "./escape.ts";
import { type Flags, type GroupOpening, readGroupOpening } from "./group.ts";
import { createPatternError, type Read } from "./pattern-error.ts";
import type { PatternText } from "./pattern-text.ts";

/** The next piece of a pattern. */
export type Token =
  | Operand
  /** `\Q…\E`. A repeat after it applies to the last of its operands. */
  | { readonly token: "Quotation"; readonly operands: readonly Operand[] }
  | { readonly token: "Opening"; readonly opening: GroupOpening }
  | { readonly token: "Closing" }
  | { readonly token: "Alternative" }
  | { readonly token: "Repeat"; readonly repeat: Repeat };

/** An element that matches one character, or a position between two. */
export type Operand =
  | { readonly token: "Literal"; readonly codePoint: number; readonly foldCase: boolean }
  | { readonly token: "Class"; readonly characters: CharacterClass; readonly foldCase: boolean }
  | { readonly token: "Assertion"; readonly assertion: Assertion };

/** A condition for a position between two characters. */
export type Assertion = keyof typeof ASSERTION_BIT;

/** The bit of an assertion in a set of assertions. */
export const ASSERTION_BIT = {
  "\\A": 1,
  "\\z": 2,
  "(?m:^)": 4,
  "(?m:$)": 8,
  "\\b": 16,
  "\\B": 32,
} as const;

/** How often an operand is repeated. */
export interface Repeat {
  readonly min: number;
  /** `undefined` for no limit. */
  readonly max: number | undefined;
  /** Whether the repeat is lazy. This affects how the syntax tree is simplified, but not whether there is a match. */
  readonly lazy?: boolean;
}

/** Reads the token at an offset before the end of the pattern. */
export function readToken(pattern: PatternText, at: number, flags: Flags): Read<Token> {
  const { text } = pattern;
  const character = characterAt(text, at);
  switch (character) {
    case "(": {
      const opening = readGroupOpening(text, at, flags);
      return opening.ok
        ? { ...opening, value: { token: "Opening", opening: opening.value } }
        : opening;
    }
    case ")":
      return { ok: true, value: { token: "Closing" }, end: at + 1 };
    case "|":
      return { ok: true, value: { token: "Alternative" }, end: at + 1 };
    case "^":
      return assertion(flags.multiLine ? "(?m:^)" : "\\A", at + 1);
    case "$":
      return assertion(flags.multiLine ? "(?m:$)" : "\\z", at + 1);
    case ".":
      return classOperand(flags.dotAll ? ANY_CHARACTER : ANY_BUT_NEWLINE, flags, at + 1);
    case "[": {
      const set = readBrackets(pattern, at, flags.foldCase);
      return set.ok ? classOperand(set.value, flags, set.end) : set;
    }
    case "*":
      return { ok: true, value: { token: "Repeat", repeat: ANY_NUMBER }, end: at + 1 };
    case "+":
      return { ok: true, value: { token: "Repeat", repeat: AT_LEAST_ONE }, end: at + 1 };
    case "?":
      return { ok: true, value: { token: "Repeat", repeat: AT_MOST_ONE }, end: at + 1 };
    case "{":
      return (
        readCountedRepeat(text, at) ?? { ok: true, value: literal(character, flags), end: at + 1 }
      );
    case "\\":
      return readEscaped(text, at, flags);
    default:
      return { ok: true, value: literal(character, flags), end: at + character.length };
  }
}

const ANY_NUMBER: Repeat = { min: 0, max: undefined };
const AT_LEAST_ONE: Repeat = { min: 1, max: undefined };
const AT_MOST_ONE: Repeat = { min: 0, max: 1 };

function assertion(desired: Assertion, end: number): Read<Token> {
  return { ok: true, value: { token: "Assertion", assertion: desired }, end };
}

function classOperand(characters: CharacterClass, { foldCase }: Flags, end: number): Read<Token> {
  return { ok: true, value: { token: "Class", characters, foldCase }, end };
}

function literal(character: string, { foldCase }: Flags): Operand {
  return { token: "Literal", codePoint: character.codePointAt(0) ?? 0, foldCase };
}

/** Reads `{2}`, `{2,}` or `{2,5}`. Any other text after a brace is literal, and the result is `undefined`. */
function readCountedRepeat(text: string, at: number): Read<Token> | undefined {
  COUNTED_REPEAT.lastIndex = at;
  const [written = "", min, comma, max] = COUNTED_REPEAT.exec(text) ?? [];
  if (min === undefined) {
    return undefined;
  }
  const repeat: Repeat = {
    min: Number(min),
    max: comma === undefined ? Number(min) : max === undefined ? undefined : Number(max),
  };
  const largest = repeat.max ?? repeat.min;
  return largest < repeat.min || largest > MAX_COUNT
    ? createPatternError("invalid repeat count", written)
    : { ok: true, value: { token: "Repeat", repeat }, end: at + written.length };
}

const COUNTED_REPEAT = /\{(0|[1-9][0-9]*)(?:(,)(0|[1-9][0-9]*)?)?\}/y;

/** The maximum count of a repeat, and of the product of nested counted repeats. */
export const MAX_COUNT = 1000;

function readEscaped(text: string, at: number, flags: Flags): Read<Token> {
  switch (text[at + 1]) {
    case "A":
      return assertion("\\A", at + 2);
    case "z":
      return assertion("\\z", at + 2);
    case "b":
      return assertion("\\b", at + 2);
    case "B":
      return assertion("\\B", at + 2);
    case "Q":
      return readQuotation(text, at, flags);
  }
  const set = readClassEscape(text, at, flags.foldCase);
  if (set !== undefined) {
    return set.ok ? classOperand(set.value, flags, set.end) : set;
  }
  const character = readEscape(text, at);
  return character.ok
    ? { ...character, value: literal(String.fromCodePoint(character.value), flags) }
    : character;
}

/** `\Q…\E`, or up to the end of the pattern if there is no `\E`. */
function readQuotation(text: string, at: number, flags: Flags): Read<Token> {
  const close = text.indexOf("\\E", at + 2);
  const quoted = close < 0 ? text.slice(at + 2) : text.slice(at + 2, close);
  const operands = Array.from(quoted, (character) => literal(character, flags));
  return {
    ok: true,
    value: { token: "Quotation", operands },
    end: close < 0 ? text.length : close + 2,
  };
}
