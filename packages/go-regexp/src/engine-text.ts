import { caseVariants } from "./case-folding.ts";
import { type CodePointSet, LAST_CODE_POINT } from "./code-point-set.ts";
import type { Part } from "./pattern-part.ts";
import type { Operand, Repeat } from "./token.ts";

/**
 * Writes a pattern for another engine: literals, classes as bare ranges, assertions, groups and repeats, all of which
 * any RE2 reads alike. Flags, escapes and names of Unicode are resolved.
 */
export function engineText(parts: readonly Part[]): string {
  const written: string[] = [];
  const repeatsOfOpen: (readonly Repeat[] | undefined)[] = [];
  for (const part of parts) {
    switch (part.part) {
      case "Operand":
        written.push(operandText(part.operand), repeatsText(part.repeats));
        break;
      case "Opening":
        written.push(part.captures ? "(" : "(?:");
        repeatsOfOpen.push(part.repeats);
        break;
      case "Closing":
        written.push(")", repeatsText(repeatsOfOpen.pop()));
        break;
      case "Alternative":
        written.push("|");
        break;
    }
  }
  return written.join("");
}

/** Stands between two repeats of one operand, as in `a*(?i)*`. It sets a flag that is set anyway. */
const SEPARATOR = "(?-i)";

function repeatsText(repeats: readonly Repeat[] = []): string {
  return repeats.map(repeatText).join(SEPARATOR);
}

function repeatText({ min, max }: Repeat): string {
  if (max === undefined) return min === 0 ? "*" : min === 1 ? "+" : `{${min},}`;
  if (min === 0 && max === 1) return "?";
  return min === max ? `{${min}}` : `{${min},${max}}`;
}

function operandText(operand: Operand): string {
  switch (operand.token) {
    case "Literal":
      return operand.foldCase
        ? foldedLiteralText(operand.codePoint)
        : literalText(operand.codePoint);
    case "Class":
      return classText(operand.characters.set());
    case "Assertion":
      return operand.assertion;
  }
}

/** A literal code point. */
function literalText(codePoint: number): string {
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
function foldedLiteralText(codePoint: number): string {
  const literal = literalText(codePoint);
  return caseVariants(codePoint).length === 1 ? literal : `(?i:${literal})`;
}

/** A class that holds the code points of a set. */
function classText(set: CodePointSet): string {
  if (set.length === 0) {
    return `[^\\x{0}-\\x{${LAST_CODE_POINT.toString(16)}}]`;
  }
  const ranges = set.map(([first, last]) =>
    first === last ? literalText(first) : `${literalText(first)}-${literalText(last)}`,
  );
  return `[${ranges.join("")}]`;
}

const LETTER_OR_DIGIT = /^[0-9A-Za-z]$/;
