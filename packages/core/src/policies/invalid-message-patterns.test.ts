import { describe, expect, it } from "vitest";
import { findInvalidMessagePatterns } from "./invalid-message-patterns.ts";

/** A rule for each list of patterns. */
const rules = (...lists: (readonly string[] | undefined)[]) =>
  lists.map((onJobFailureMessagePatterns) => ({ onJobFailureMessagePatterns }));

describe("findInvalidMessagePatterns", () => {
  it("findInvalidMessagePatterns are none of rules without patterns, and of patterns that Go accepts", () => {
    expect(findInvalidMessagePatterns([])).toEqual([]);
    expect(findInvalidMessagePatterns(rules(undefined, [], ["exit code (42|43)$", ""]))).toEqual(
      [],
    );
  });

  it("findInvalidMessagePatterns are those that Go does not accept, by their places, in Go's words", () => {
    expect(findInvalidMessagePatterns(rules(["fine"], ["fine", "("], ["[", "(?=x)"]))).toEqual([
      {
        rule: 1,
        pattern: 1,
        kind: "Malformed",
        message: expect.stringContaining("missing closing )"),
      },
      {
        rule: 2,
        pattern: 0,
        kind: "Malformed",
        message: expect.stringContaining("missing closing ]"),
      },
      { rule: 2, pattern: 1, kind: "Malformed", message: expect.stringContaining("`(?=`") },
    ]);
  });

  it("findInvalidMessagePatterns end with the first that is more work to compile than all may be together", () => {
    const large = "(a{1,1000}){1}".repeat(100);
    const refused = findInvalidMessagePatterns(rules(["("], Array(50).fill(large), ["("]));
    expect(refused.map(({ kind }) => kind)).toEqual(["Malformed", "OverBudget"]);
    expect(refused[1]).toMatchObject({ rule: 1 });
  });
});
