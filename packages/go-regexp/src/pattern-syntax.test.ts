import { expect, it } from "vitest";
import { readPattern } from "./pattern-syntax.ts";

it("readPattern reports the first error of a pattern", () => {
  expect(readPattern("a**\\8")).toMatchObject({
    message: "error parsing regexp: invalid nested repetition operator: `**`",
  });
  expect(readPattern("\\8a**")).toMatchObject({
    message: "error parsing regexp: invalid escape sequence: `\\8`",
  });
  expect(readPattern("(\\8")).toMatchObject({
    message: "error parsing regexp: invalid escape sequence: `\\8`",
  });
});

it("readPattern distinguishes two repetitions of one operand", () => {
  for (const pattern of ["a*(?i)*", "a*\\Q\\E*", "(?:a)*(?s)*"]) {
    expect(readPattern(pattern)).toMatchObject({ ok: true });
  }
  expect(readPattern("a*(?i)*")).toMatchObject({
    parts: [{ repeats: [{ min: 0 }, { min: 0 }] }],
  });
});
