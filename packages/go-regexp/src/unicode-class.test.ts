import { expect, it } from "vitest";
import type { CodePointSet } from "./code-point-set.ts";
import recorded from "./testdata/unicode-classes.json" with { type: "json" };
import { unicodeClass } from "./unicode-class.ts";

it.each(recorded)("\\p{$name} is the same set as in Go", ({ name, ...extents }) => {
  const plain = extent(unicodeClass(name, false) ?? []);
  const folded = extent(unicodeClass(name, true) ?? []);
  expect({ ...plain, foldedCount: folded.count, foldedSum: folded.sum }).toEqual(extents);
});

it("unicodeClass accepts every spelling of a name", () => {
  const set = unicodeClass("Uppercase_Letter", false);
  for (const spelling of ["Lu", "LU", " l u ", "uppercase letter", "UPPER-CASE__LETTER"]) {
    expect(unicodeClass(spelling, false)).toBe(set);
  }
});

it.each([
  "",
  "Old_Italic",
  "OldItalic",
  "SignWriting",
  "Script=Greek",
  "IsGreek",
  "Grek",
  "Gree\u212a",
  "constructor",
])("unicodeClass rejects %j", (name) => {
  expect(unicodeClass(name, false)).toBeUndefined();
  expect(unicodeClass(name, true)).toBeUndefined();
});

/** The number of code points, and their sum. */
function extent(set: CodePointSet): { count: number; sum: number } {
  let count = 0;
  let sum = 0;
  for (const [first, last] of set) {
    count += last - first + 1;
    sum += ((first + last) * (last - first + 1)) / 2;
  }
  return { count, sum };
}
