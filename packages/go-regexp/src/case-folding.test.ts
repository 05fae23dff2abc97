import { expect, it } from "vitest";
import { caseVariants, withCaseVariants } from "./case-folding.ts";
import { complement } from "./code-point-set.ts";
import { compilePattern } from "./testing/compile-pattern.ts";

const ALL = Array.from({ length: 0x110000 }, (_, codePoint) => codePoint).filter(
  (codePoint) => codePoint < 0xd800 || codePoint > 0xdfff,
);
const FOLDED = ALL.filter((codePoint) => caseVariants(codePoint).length > 1);

const SETS = [...new Set(FOLDED.map(caseVariants))];

it("caseVariants returns the same set for each variant of a code point", () => {
  expect(SETS.flat().sort((a, b) => a - b)).toEqual(FOLDED);
  expect(FOLDED).toHaveLength(2878);
  for (const variants of SETS) {
    expect(variants).toEqual(variants.toSorted((a, b) => a - b));
    expect(new Set(variants.map(caseVariants))).toEqual(new Set([variants]));
  }
});

it("withCaseVariants adds the variants of a set, and further calls add nothing", () => {
  expect(
    withCaseVariants([
      [0x4b, 0x4b],
      [0x212b, 0x212b],
    ]),
  ).toEqual([
    [0x4b, 0x4b],
    [0x6b, 0x6b],
    [0xc5, 0xc5],
    [0xe5, 0xe5],
    [0x212a, 0x212b],
  ]);
  expect(withCaseVariants(complement([]))).toEqual(complement([]));
  expect(withCaseVariants([])).toEqual([]);
});

it("caseVariants returns exactly the variants of a letter under (?i)", () => {
  for (const variants of SETS) {
    const others = text(FOLDED.filter((codePoint) => !variants.includes(codePoint)));
    for (const variant of variants) {
      const letter = compilePattern(`(?i)${text([variant])}`);
      const found = variants.filter((other) => letter.ok && letter.matches(text([other])));
      expect(found).toEqual(variants);
      expect(letter.ok && variant === variants[0] && letter.matches(others)).toBe(false);
    }
  }
  const any = compilePattern(`(?i)${FOLDED.map((codePoint) => text([codePoint])).join("|")}`);
  const unfolded = ALL.filter((codePoint) => caseVariants(codePoint).length === 1);
  expect(any.ok && any.matches(text(unfolded))).toBe(false);
});

function text(codePoints: readonly number[]): string {
  return codePoints.map((codePoint) => String.fromCodePoint(codePoint)).join("");
}
