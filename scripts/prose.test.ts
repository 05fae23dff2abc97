import { expect, it } from "vitest";
import { findPhrases } from "./prose.mjs";

const rules = [
  { pattern: "is told", instead: "reports" },
  { pattern: "nobody", instead: "no user" },
];

it("findPhrases reports the line, the phrase and what to write instead", () => {
  expect(findPhrases("A line.\nNobody is told.\n", rules)).toEqual([
    { line: 2, phrase: "is told", instead: "reports" },
    { line: 2, phrase: "Nobody", instead: "no user" },
  ]);
});

it.each([
  ["a comment", "// The client is\n  // told why.\n"],
  ["a docstring", "/**\n * The client is\n * told why.\n */\n"],
  ["a quotation", "> The client is\n> told why.\n"],
])("findPhrases finds a phrase that continues on the next line of %s", (_, text) => {
  expect(findPhrases(text, rules)).toMatchObject([
    { phrase: expect.stringMatching(/^is (\/\/ )?told$/) },
  ]);
});

it("findPhrases ignores a phrase inside a longer word", () => {
  expect(findPhrases("const nobodys = this.told;\n", rules)).toEqual([]);
});
