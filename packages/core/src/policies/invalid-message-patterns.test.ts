import { describe, expect, it } from "vitest";
import { findInvalidMessagePatterns } from "./invalid-message-patterns.ts";

/** A rule for each list of patterns. */
const rules = (...lists: (readonly string[] | undefined)[]) =>
  lists.map((onJobFailureMessagePatterns) => ({ onJobFailureMessagePatterns }));

describe("findInvalidMessagePatterns", () => {
  it("findInvalidMessagePatterns returns nothing for rules without patterns and for valid patterns", () => {
    expect(findInvalidMessagePatterns([])).toEqual([]);
    expect(findInvalidMessagePatterns(rules(undefined, [], ["exit code (42|43)$", ""]))).toEqual(
      [],
    );
  });

  it("findInvalidMessagePatterns returns the patterns that Go rejects, with Go's message", () => {
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

  it("findInvalidMessagePatterns ends with the first pattern that exceeds the budget", () => {
    const large = "(a{1,1000}){1}".repeat(100);
    const rejected = findInvalidMessagePatterns(rules(["("], Array(50).fill(large), ["("]));
    expect(rejected.map(({ kind }) => kind)).toEqual(["Malformed", "OverBudget"]);
    expect(rejected[1]).toMatchObject({ rule: 1 });
  });
});
