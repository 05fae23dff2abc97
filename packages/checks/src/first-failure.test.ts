import { describe, expect, it } from "vitest";
import { defineChecks } from "./define-checks.ts";
import { evaluateChecks } from "./evaluate-checks.ts";
import { firstFailure } from "./first-failure.ts";
import { createChecks, type FailedResults } from "./testing/arbitrary-checks.ts";

const set = defineChecks(
  createChecks([
    { id: "leader", causes: [] },
    { id: "node", causes: ["leader"], needs: ["leader"] },
    { id: "selector", causes: ["node"] },
  ]),
);

function findFirstFailure(
  results: Readonly<Record<string, "Fail" | "Unknown">>,
  ...order: string[]
) {
  const view: FailedResults = new Map(Object.entries(results));
  const finding = firstFailure(evaluateChecks(set, view), order);
  return finding && [finding.id, ...finding.causedBy];
}

describe("firstFailure", () => {
  it("firstFailure returns the first failing check of the order, also a symptom", () => {
    const results = { leader: "Fail", selector: "Fail" } as const;
    expect(findFirstFailure(results, "selector", "leader")).toEqual(["selector", "leader"]);
    expect(findFirstFailure(results, "leader", "selector")).toEqual(["leader"]);
  });

  it("firstFailure skips a check whose needs fail, even if the order omits the needs", () => {
    expect(findFirstFailure({ leader: "Fail", node: "Fail" }, "node")).toBeUndefined();
    expect(findFirstFailure({ node: "Fail" }, "node")).toEqual(["node"]);
  });

  it("firstFailure stops at a check with an unknown result", () => {
    const results = { leader: "Unknown", selector: "Fail" } as const;
    expect(findFirstFailure(results, "leader", "selector")).toEqual(["leader"]);
    expect(findFirstFailure(results, "selector", "leader")).toEqual(["selector"]);
  });

  it("firstFailure ignores checks that the order omits", () => {
    expect(findFirstFailure({ leader: "Fail" }, "selector")).toBeUndefined();
  });

  it("firstFailure rejects an invalid order", () => {
    expect(() => findFirstFailure({}, "leader", "leader")).toThrow(
      new TypeError('the order names check "leader" twice'),
    );
    expect(() => findFirstFailure({}, "laeder")).toThrow(
      new TypeError('the order names "laeder", which is not a check'),
    );
  });
});
