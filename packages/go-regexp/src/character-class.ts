import { foldedCount, withCaseVariants } from "./case-folding.ts";
import {
  type CodePointRange,
  type CodePointSet,
  codePointSet,
  complement,
} from "./code-point-set.ts";
import { characterAt, readEscape } from "./escape.ts";
import { createPatternError, type Read } from "./pattern-error.ts";
import type { PatternText } from "./pattern-text.ts";
import { unicodeClass } from "./unicode-class.ts";

/** A parsed character class. Its members are computed on first use. */
export interface CharacterClass {
  /** The number of ranges and case variants from which it is built. The set itself may have fewer. */
  readonly ranges: number;
  readonly set: () => CodePointSet;
}

/** Every character. */
export const ANY_CHARACTER = /* @__PURE__ */ createClass(/* @__PURE__ */ complement([]));

/** Every character except `\n`. */
export const ANY_BUT_NEWLINE = /* @__PURE__ */ createClass(
  /* @__PURE__ */ complement([[0x0a, 0x0a]]),
);

function createClass(set: CodePointSet): CharacterClass {
  return { ranges: set.length, set: () => set };
}

/**
 * Reads a class in brackets: `[a-z]`, `[^\d_]`, `[[:alpha:]-]`, `[]]`.
 *
 * @param at - the offset of the opening bracket
 * @param foldCase - whether `(?i)` is on; case variants are added to a class before it is negated
 */
export function readBrackets(
  pattern: PatternText,
  at: number,
  foldCase: boolean,
): Read<CharacterClass> {
  const { text } = pattern;
  const negated = text[at + 1] === "^";
  const first = negated ? at + 2 : at + 1;
  const named: CharacterClass[] = [];
  const spelled: CodePointRange[] = [];
  let ranges = 0;

  let end = first;
  // A closing bracket that comes first is a member.
  while (end === first || text[end] !== "]") {
    const set = readNamedClass(pattern, end, foldCase) ?? readClassEscape(text, end, foldCase);
    if (set !== undefined) {
      if (!set.ok) {
        return set;
      }
      named.push(set.value);
      ranges += set.value.ranges;
      end = set.end;
      continue;
    }
    const range = readRange(text, end, at);
    if (!range.ok) {
      return range;
    }
    spelled.push(range.value);
    ranges += 1 + (foldCase ? foldedCount(range.value) : 0);
    end = range.end;
  }

  function set(): CodePointSet {
    const members = codePointSet(spelled);
    const all = codePointSet([
      ...named.flatMap((one) => one.set()),
      ...(foldCase ? withCaseVariants(members) : members),
    ]);
    return negated ? complement(all) : all;
  }
  return { ok: true, value: { ranges, set }, end: end + 1 };
}

/**
 * Reads an escape for a class, inside or outside brackets: `\d`, `\W`, `\pL`, `\P{Greek}`, `\p{^Greek}`.
 *
 * @returns `undefined` if there is none at this offset
 */
export function readClassEscape(
  text: string,
  at: number,
  foldCase: boolean,
): Read<CharacterClass> | undefined {
  if (text[at] !== "\\") {
    return undefined;
  }
  const letter = text[at + 1] ?? "";
  const set = PERL_CLASSES.get(letter.toLowerCase());
  if (set !== undefined) {
    const negated = letter !== letter.toLowerCase();
    return { ok: true, value: createSignedClass(set, foldCase, negated), end: at + 2 };
  }
  return letter === "p" || letter === "P" ? readUnicodeClass(text, at, foldCase) : undefined;
}

function readUnicodeClass(text: string, at: number, foldCase: boolean): Read<CharacterClass> {
  const inBraces = text[at + 2] === "{";
  const end = inBraces ? text.indexOf("}", at) + 1 : at + 2 + characterAt(text, at + 2).length;
  if (end === 0) {
    return createPatternError("invalid character class range", text.slice(at));
  }
  const written = inBraces ? text.slice(at + 3, end - 1) : text.slice(at + 2, end);
  const caret = written.startsWith("^");
  const set = unicodeClass(caret ? written.slice(1) : written, foldCase);
  if (set === undefined) {
    return createPatternError("invalid character class range", text.slice(at, end));
  }
  const negated = (text[at + 1] === "P") !== caret;
  // The set already includes the case variants.
  return { ok: true, value: createSignedClass(set, false, negated), end };
}

/**
 * `[:alpha:]` or `[:^alpha:]`. Text that starts with `[:` must be a named class if the pattern contains a
 * later `:]`.
 */
function readNamedClass(
  pattern: PatternText,
  at: number,
  foldCase: boolean,
): Read<CharacterClass> | undefined {
  const { text, lastNamedClassEnd } = pattern;
  if (!text.startsWith("[:", at) || at + 2 > lastNamedClassEnd) {
    return undefined;
  }
  const end = text.indexOf(":]", at + 2) + 2;
  const name = text.slice(at, end);
  const negated = name[2] === "^";
  const set = POSIX_CLASSES.get(name.slice(negated ? 3 : 2, -2));
  return set === undefined
    ? createPatternError("invalid character class range", name)
    : { ok: true, value: createSignedClass(set, foldCase, negated), end };
}

function readRange(text: string, at: number, bracket: number): Read<CodePointRange> {
  const first = readMember(text, at, bracket);
  if (!first.ok) {
    return first;
  }
  const dash = first.end;
  if (text[dash] !== "-" || dash + 1 === text.length || text[dash + 1] === "]") {
    return { ok: true, value: [first.value, first.value], end: first.end };
  }
  const last = readMember(text, dash + 1, bracket);
  if (!last.ok) {
    return last;
  }
  return last.value < first.value
    ? createPatternError("invalid character class range", text.slice(at, last.end))
    : { ok: true, value: [first.value, last.value], end: last.end };
}

function readMember(text: string, at: number, bracket: number): Read<number> {
  if (text[at] === "\\") {
    return readEscape(text, at);
  }
  const character = characterAt(text, at);
  return character === ""
    ? createPatternError("missing closing ]", text.slice(bracket))
    : { ok: true, value: character.codePointAt(0) ?? 0, end: at + character.length };
}

function createSignedClass(set: CodePointSet, foldCase: boolean, negated: boolean): CharacterClass {
  if (!foldCase && !negated) {
    return createClass(set);
  }
  const folded = foldCase ? set.reduce((count, range) => count + foldedCount(range), 0) : 0;
  return {
    ranges: set.length + folded,
    set: () => {
      const members = foldCase ? withCaseVariants(set) : set;
      return negated ? complement(members) : members;
    },
  };
}

const DIGIT: CodePointRange = [0x30, 0x39];
const UPPER: CodePointRange = [0x41, 0x5a];
const LOWER: CodePointRange = [0x61, 0x7a];
const UNDERSCORE: CodePointRange = [0x5f, 0x5f];
const BLANK: CodePointRange = [0x20, 0x20];

const PERL_CLASSES: ReadonlyMap<string, CodePointSet> = new Map([
  ["d", [DIGIT]],
  ["s", [[0x09, 0x0a], [0x0c, 0x0d], BLANK]],
  ["w", [DIGIT, UPPER, UNDERSCORE, LOWER]],
]);

const POSIX_CLASSES: ReadonlyMap<string, CodePointSet> = new Map([
  ["alnum", [DIGIT, UPPER, LOWER]],
  ["alpha", [UPPER, LOWER]],
  ["ascii", [[0x00, 0x7f]]],
  ["blank", [[0x09, 0x09], BLANK]],
  [
    "cntrl",
    [
      [0x00, 0x1f],
      [0x7f, 0x7f],
    ],
  ],
  ["digit", [DIGIT]],
  ["graph", [[0x21, 0x7e]]],
  ["lower", [LOWER]],
  ["print", [[0x20, 0x7e]]],
  [
    "punct",
    [
      [0x21, 0x2f],
      [0x3a, 0x40],
      [0x5b, 0x60],
      [0x7b, 0x7e],
    ],
  ],
  ["space", [[0x09, 0x0d], BLANK]],
  ["upper", [UPPER]],
  ["word", [DIGIT, UPPER, UNDERSCORE, LOWER]],
  ["xdigit", [DIGIT, [0x41, 0x46], [0x61, 0x66]]],
]);
