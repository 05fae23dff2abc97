import { expect, it } from "vitest";
import { compileRules, findPhrases } from "./prose.mjs";

const rules = compileRules([
  { pattern: "is utilized", instead: "is used" },
  { pattern: "leverages", instead: "uses" },
]);

it("findPhrases reports the line, the phrase and its replacement", () => {
  expect(findPhrases("A line.\nLeverages what is utilized.\n", rules)).toEqual([
    { line: 2, phrase: "is utilized", instead: "is used" },
    { line: 2, phrase: "Leverages", instead: "uses" },
  ]);
});

it.each([
  ["a comment", "// The client is\n  // utilized here.\n"],
  ["a docstring", "/**\n * The client is\n * utilized here.\n */\n"],
  ["a quotation", "> The client is\n> utilized here.\n"],
])("findPhrases finds a phrase that continues on the next line of %s", (_, text) => {
  expect(findPhrases(text, rules)).toMatchObject([
    { phrase: expect.stringMatching(/^is (\/\/ )?utilized$/) },
  ]);
});

it("findPhrases ignores a phrase inside a longer word", () => {
  expect(findPhrases("const leveragesAll = this.utilized;\n", rules)).toEqual([]);
});
