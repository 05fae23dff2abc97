import { caseVariants } from "./case-folding.ts";
import { type CodePointSet, LAST_CODE_POINT } from "./code-point-set.ts";

/*
 * What the engine is given: literals, classes as bare ranges and groups, all of which any RE2 reads alike.
 */

/** A literal code point. */
export function literalText(codePoint: number): string {
  // A surrogate is written as a number: side by side in a string, two of them would become another character.
  const bare =
    codePoint >= 0x80
      ? codePoint < 0xd800 || codePoint > 0xdfff
      : LETTER_OR_DIGIT.test(String.fromCodePoint(codePoint));
  return bare ? String.fromCodePoint(codePoint) : `\\x{${codePoint.toString(16)}}`;
}

/**
 * A literal under `(?i)`, with its case variants.
 *
 * The engine's Unicode is later than Go's, so it folds letters that Go does not; but where Go folds, both do alike.
 * Left to the engine, a word stays one literal, as Go counts it when it measures how deeply a pattern nests.
 */
export function foldedLiteralText(codePoint: number): string {
  const literal = literalText(codePoint);
  return caseVariants(codePoint).length === 1 ? literal : `(?i:${literal})`;
}

/** A class that holds the code points of a set. */
export function classText(set: CodePointSet): string {
  if (set.length === 0) {
    return `[^\\x{0}-\\x{${LAST_CODE_POINT.toString(16)}}]`;
  }
  const ranges = set.map(([first, last]) =>
    first === last ? literalText(first) : `${literalText(first)}-${literalText(last)}`,
  );
  return `[${ranges.join("")}]`;
}

const LETTER_OR_DIGIT = /^[0-9A-Za-z]$/;
