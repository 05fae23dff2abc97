import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../testing/src/testing/runs.ts";
import { PatternBudget } from "./pattern-budget.ts";
import { readPattern } from "./pattern-syntax.ts";
import { compileProgram } from "./program.ts";

const MAX_WORK = 50_000;

/** The units that all patterns need together, if these are within the budget. */
function estimateWork(...patterns: readonly string[]): number {
  const reader = new PatternBudget();
  for (const pattern of patterns) reader.read(pattern);
  const last = reader.read("a".repeat(MAX_WORK + 1));
  return "needed" in last ? last.needed - (MAX_WORK + 1) : expect.fail("all of it fits");
}

/** The pattern that exceeds the budget, and the units needed up to it. */
function findExcess(
  patterns: readonly string[],
): readonly [index: number, needed: number] | undefined {
  const budget = new PatternBudget();
  for (const [index, pattern] of patterns.entries()) {
    const compiled = budget.read(pattern);
    if ("needed" in compiled) return [index, compiled.needed];
  }
  return undefined;
}

describe("the work of a pattern", () => {
  it.each<[string, readonly string[], number]>([
    ["is little for none", [""], 4],
    ["is its length", ["exit code 42"], 16],
    ["counts each pattern", ["a", "a", "(?:a|b)+"], 5 + 5 + 12],
    ["counts the ranges of a class", ["\\pL"], 4 + 3 + 659],
    ["counts them as often as they are written", ["\\pL\\pL[\\pL\\pL]"], 4 + 14 + 4 * 659],
    ["counts a class that is repeated once, and its copies", ["\\pL{1000}"], 4 + 1001 + 659],
    ["counts the copies inside copies", ["(?:(?:a{10}){10}){10}"], 4 + 1221],
    ["counts what is repeated no times", ["(?:a{1000}){0}"], 4 + 1003],
    ["counts optional copies", ["a{0,1000}"], 4 + 1001],
    ["counts alternatives in copies", ["(?:|||){100}"], 4 + 401],
    ["counts the case variants in a range", ["(?i)[a-c]"], 4 + 9 + 1 + 3],
    ["is its length when it is none", ["((((("], 9],
    ["is more where Go may find it to nest too deeply", ["(".repeat(600) + ")".repeat(600)], 19264],
  ])("%s", (_, patterns, work) => {
    expect(estimateWork(...patterns)).toBe(work);
  });
});

describe("the budget", () => {
  it("the budget is used up to the last unit", () => {
    const exact = ["a".repeat(MAX_WORK - 4 - 5)];
    expect(findExcess([...exact, "b"])).toBeUndefined();
    expect(findExcess([...exact, "bc"])).toEqual([1, MAX_WORK + 1]);
    expect(findExcess(["\\pL{1000}".repeat(31)])).toEqual([0, 4 + 31 * (1001 + 659)]);
  });

  it("the budget compiles no pattern after the first one that exceeds it", () => {
    const budget = new PatternBudget();
    const over = budget.read("(?:abc){1000}".repeat(20));
    expect(budget.exhausted).toBe(true);
    expect(budget.read("a")).toBe(over);
    expect(over).toEqual({
      ok: false,
      needed: 80_024,
      message:
        "the message patterns up to this one need 80024 units of work, and those of a JobSet may need 50000 together",
    });
  });

  it("the budget does not read a pattern whose length alone exceeds it", () => {
    const over = new PatternBudget().read("\\pL".repeat(500_000));
    expect(over).toMatchObject({
      needed: 1_500_000,
      message: expect.stringContaining("need at least 1500000 units"),
    });
  });

  it("the budget is sufficient for hundreds of typical patterns", () => {
    const patterns = Array.from({ length: 500 }, (_, code) => [
      `.*(OOM|out of memory)[^\\n]+ code ${code}\\b`,
      `(?i)^\\s*pod \\w+-${code} (evicted|preempted)$`,
    ]).flat();
    expect(estimateWork(...patterns)).toBeLessThan(MAX_WORK);
    expect(estimateWork("\\pL+: \\w+ (\\d{3}|[[:alpha:]]+).*")).toBeLessThan(MAX_WORK / 60);
  });

  it("the budget rejects the same patterns as compilePattern", () => {
    const budget = new PatternBudget();
    expect(budget.read("(")).toEqual({
      ok: false,
      message: "error parsing regexp: missing closing ): `(`",
    });
    expect(budget.read("(".repeat(1000) + ")".repeat(1000))).toMatchObject({
      message: expect.stringContaining("nests too deeply"),
    });
    expect(budget.exhausted).toBe(false);
  });
});

describe("the compiled code", () => {
  const syntax = fc
    .array(
      fc.oneof(
        fc.constantFrom(
          ..."()[]|*+?^$.ab1-",
          "(?:",
          "(?i)",
          "{0}",
          "{7}",
          "{2,}",
          "{0,30}",
          "\\pL",
          "\\PL",
          "[^",
          "[\\pL",
          "\\w",
          "\\Qab\\E",
        ),
      ),
      { maxLength: 16 },
    )
    .map((parts) => parts.join(""));

  it("the size of a compiled pattern is at most a small multiple of its cost, for any pattern", () => {
    fc.assert(
      fc.property(syntax, (text) => {
        const read = readPattern(text);
        if (!read.ok) return;
        const work = estimateWork(text);
        const { ops, classes } = compileProgram([read.parts]);
        expect(ops.length).toBeLessThanOrEqual(3 * work);
        const ranges = classes.reduce((count, set) => count + set.length, 0);
        expect(ranges).toBeLessThanOrEqual(2 * work);
      }),
      { numRuns: runs(1_000) },
    );
  });
});
