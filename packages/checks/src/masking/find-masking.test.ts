import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hostileValues } from "../../../testing/src/arbitraries/hostile-values.ts";
import type { CheckDependencies } from "../check.ts";
import { type CheckLetter, followerChecks, followerOrders } from "../testing/follower-checks.ts";
import { reportOn } from "../testing/report-on.ts";
import { findMasking, type MaskingReport } from "./find-masking.ts";
import type { MaskingOptions } from "./masking.ts";

const { withLabels, labelsInLeader } = followerChecks;

function listPairs({ maskings }: MaskingReport): readonly string[] {
  return maskings.map(({ reported, cause }) => `${reported}${cause}`);
}

function findGaps({ gaps }: MaskingReport): readonly string[] {
  return gaps.map(({ check, missingCause }) => `${check}${missingCause}`);
}

describe("findMasking for the orders of a follower's checks", () => {
  const upstream = reportOn(withLabels, followerOrders.upstream);
  const pr1188 = reportOn(withLabels, followerOrders.pr1188);
  const complete = reportOn(withLabels, ["G", "L", "O", "S", "N", "T", "P", "K", "V"]);

  it("findMasking finds each pair that upstream's order masks", () => {
    expect(upstream.masks).toBe(true);
    expect(listPairs(upstream)).toEqual(["PL", "PO", "PS", "KL", "KO", "KS"]);
    for (const { reported, cause, failing } of upstream.maskings) {
      expect(failing).toEqual([cause, reported]);
    }
  });

  it("findMasking shows a pending leader that is reported as a missing selector", () => {
    expect(upstream.counterexample).toEqual({
      reported: "P",
      cause: "S",
      failing: ["S", "P"],
      blocked: ["N", "T", "K", "V"],
      passing: ["G", "L", "O"],
    });
  });

  it("findMasking shows the pair that is reported earliest, with the nearest cause", () => {
    const order = ["O", "K", "G", "L", "P", "S"];
    const { counterexample } = reportOn(
      withLabels.map(({ id, causes }) => ({ id, causes })),
      order,
    );
    expect(counterexample).toMatchObject({ reported: "O", cause: "L", failing: ["L", "O"] });
  });

  it("findMasking finds no masked cause in the other two orders", () => {
    for (const report of [pr1188, complete]) {
      expect(report.masks).toBe(false);
      expect(report.maskings).toEqual([]);
      expect(report).not.toHaveProperty("counterexample");
    }
  });

  it("findMasking names causes that no check covers", () => {
    const gaps = ["PG", "PN", "PT", "KG", "KN", "KT", "LG", "OG", "SG"];
    expect(findGaps(upstream)).toEqual(gaps);
    expect([...findGaps(pr1188)].sort()).toEqual([...gaps].sort());
    expect(findGaps(complete)).toEqual([]);
    expect(findGaps(reportOn(labelsInLeader, followerOrders.upstream))).toEqual([
      ...["PN", "PT", "KN", "KT"],
    ]);
  });

  it("findMasking suggests a correct order and moves as few checks as possible", () => {
    expect(upstream.fixedOrder).toEqual(["L", "O", "S", "P", "K"]);
    expect(pr1188.fixedOrder).toEqual(pr1188.order);
    expect(complete.fixedOrder).toEqual(complete.order);
  });

  it("findMasking finds no gap and no masking if an earlier stage denies for the missing causes", () => {
    const report = reportOn(labelsInLeader, followerOrders.pr1188, { deniedBefore: ["N", "T"] });
    expect(report.gaps).toEqual([]);
    // All except the states of the rows d and e.
    expect(report.proof).toEqual({
      by: "Exhaustion",
      states: 256 - 24,
      masked: 0,
      maskedWithinOrder: 0,
      failingButAdmitted: 1,
    });
  });
});

describe("findMasking for reachable states", () => {
  const checks = followerChecks.withLabels.map(({ id, causes }) => ({ id, causes }));
  const maskingAmong = (
    order: readonly CheckLetter[],
    ...reachable: readonly (readonly CheckLetter[])[]
  ) => reportOn(checks, order, { reachable });

  it("two checks that never fail together do not mask each other", () => {
    const report = maskingAmong(["P", "S"], ["P"], ["S"], []);
    expect(report).toMatchObject({ masks: false, maskings: [] });
    expect(report.proof).toEqual({
      by: "ReachableStates",
      states: 3,
      masked: 0,
      maskedWithinOrder: 0,
      failingButAdmitted: 0,
    });
  });

  it("findMasking names the earliest root in the order, not its effects", () => {
    expect(listPairs(maskingAmong(["P", "S", "O", "L"], ["L", "O", "S", "P"]))).toEqual(["PL"]);
  });

  it("findMasking lists unchecked causes after the checked ones", () => {
    const report = maskingAmong(["P", "S"], ["N", "P"], ["S", "P"], ["O", "P"]);
    expect(listPairs(report)).toEqual(["PS", "PN", "PO"]);
    expect(report.proof).toMatchObject({ masked: 3, maskedWithinOrder: 1 });
  });

  it("findMasking prefers a root that the order checks, and then the first by name", () => {
    const two = [
      { id: "c", causes: ["z", "a", "m"] },
      { id: "z", causes: [] },
      { id: "a", causes: [] },
      { id: "m", causes: [] },
    ];
    const all = { reachable: [["c", "z", "a", "m"]] };
    expect(listPairs(reportOn(two, ["c", "z", "m"], all))).toEqual(["cz"]);
    expect(listPairs(reportOn(two, ["c"], all))).toEqual(["ca"]);
  });

  it("findMasking returns the smallest state of a pair, and then the first by its sorted names", () => {
    const report = maskingAmong(
      ["P", "L"],
      ["L", "O", "S", "P"],
      ["V", "L", "P"],
      ["T", "L", "P"],
      ["P", "V", "L"],
    );
    expect(report.maskings).toEqual([{ reported: "P", cause: "L", failing: ["L", "T", "P"] }]);
  });

  it("findMasking lists the smallest state first", () => {
    const report = maskingAmong(["P", "K", "S", "L"], ["L", "O", "P"], ["S", "K"]);
    expect(report.counterexample).toMatchObject({ reported: "K", cause: "S" });
  });

  it("findMasking returns the same state for any order of the states", () => {
    const state = fc.subarray(["L", "O", "S", "P", "K"] as const);
    fc.assert(
      fc.property(fc.array(state, { maxLength: 8 }), (states) => {
        const order = ["K", "P", "S"] as const;
        const report = maskingAmong(order, ...states);
        expect(maskingAmong(order, ...[...states].reverse())).toEqual(report);
      }),
    );
  });

  it("findMasking skips states in which an earlier stage denies", () => {
    const reachable = [["S", "P"], ["P"]];
    expect(reportOn(checks, ["P", "S"], { reachable, deniedBefore: ["S"] })).toMatchObject({
      masks: false,
      proof: { states: 1 },
    });
  });

  it("findMasking counts a state in which no check of the order fails", () => {
    expect(maskingAmong(["P"], ["V"], []).proof).toMatchObject({
      states: 2,
      failingButAdmitted: 1,
    });
  });
});

describe("findMasking for checks that need their cause", () => {
  const checks = [
    { id: "a", causes: [] },
    { id: "b", causes: ["a"], needs: ["a"] },
    { id: "c", causes: ["b"], needs: ["b"] },
  ];

  it("findMasking finds nothing in any order if checks need their causes, because blocked checks are not reported", () => {
    expect(reportOn(checks, ["c", "b", "a"])).toMatchObject({
      masks: false,
      fixedOrder: ["a", "b", "c"],
      // The three checks have 8 combinations of results. A blocked check has the result of its needs.
      proof: { states: 8, masked: 0, failingButAdmitted: 0 },
    });
  });

  it("findMasking rejects a state in which a blocked check fails", () => {
    expect(findMasking(checks, ["c"], { reachable: [["b"], ["c", "a"]] })).toEqual({
      ok: false,
      reason: "ImpossibleState",
      message: 'check "c" needs "a", so both cannot fail in one state',
      checks: ["c", "a"],
    });
  });
});

describe("findMasking for invalid input", () => {
  const checks = [
    { id: "b", causes: ["a"] },
    { id: "a", causes: [] },
  ];

  it.each<[string, unknown, unknown, unknown, { reason: string; checks: readonly string[] }]>([
    [
      "a cycle",
      [
        { id: "z", causes: ["y"] },
        { id: "y", causes: ["x"] },
        { id: "x", causes: ["z"] },
        { id: "a", causes: ["x"] },
      ],
      ["z"],
      {},
      { reason: "CausalCycle", checks: ["x", "y", "z"] },
    ],
    [
      "a check listed twice",
      [...checks, ...checks],
      [],
      {},
      { reason: "DuplicateCheck", checks: ["b"] },
    ],
    [
      "an unknown cause",
      [{ id: "a", causes: ["x"] }],
      [],
      {},
      { reason: "UnknownCause", checks: ["a", "x"] },
    ],
    [
      "a check twice in the order",
      checks,
      ["a", "b", "a"],
      {},
      { reason: "DuplicateInOrder", checks: ["a"] },
    ],
    [
      "an unknown check in the order",
      checks,
      ["a", "x"],
      {},
      { reason: "UnknownInOrder", checks: ["x"] },
    ],
    [
      "an unknown check in a state",
      checks,
      ["a"],
      { reachable: [["a"], ["__proto__"]] },
      { reason: "UnknownInOptions", checks: ["__proto__"] },
    ],
    [
      "an unknown check among the earlier denials",
      checks,
      ["a"],
      { deniedBefore: ["x"] },
      { reason: "UnknownInOptions", checks: ["x"] },
    ],
    ["no order", checks, "ab", {}, { reason: "MalformedOrder", checks: [] }],
    ["no states", checks, ["a"], { reachable: ["a"] }, { reason: "MalformedOptions", checks: [] }],
    [
      "no list of earlier denials",
      checks,
      ["a"],
      { deniedBefore: 3 },
      { reason: "MalformedOptions", checks: [] },
    ],
    ["no checks", { a: [] }, ["a"], {}, { reason: "MalformedCheck", checks: [] }],
    ["a check without causes", [{ id: "a" }], [], {}, { reason: "MalformedCheck", checks: [] }],
    [
      "too many checks",
      Array.from({ length: 1001 }, (_, index) => ({ id: `c${index}`, causes: [] })),
      [],
      {},
      { reason: "TooManyChecks", checks: [] },
    ],
  ])("findMasking rejects %s with a value", (_, list, order, options, refusal) => {
    const result = findMasking(list as typeof checks, order as string[], options as object);
    expect(result).toMatchObject({ ok: false, ...refusal });
    if (result.ok) return;
    expect(result.message).not.toBe("");
    for (const name of refusal.checks) expect(result.message).toContain(`"${name}"`);
  });

  it("findMasking treats invalid options as absent", () => {
    const none = null as unknown as MaskingOptions<"a" | "b">;
    expect(findMasking(checks, ["a"], none)).toEqual(findMasking(checks, ["a"]));
  });

  it("findMasking returns a result for every input", () => {
    const any = hostileValues();
    const names = fc.oneof(fc.constantFrom("a", "__proto__"), any);
    const list = fc.array(
      fc.record({ id: names, causes: fc.oneof(fc.array(names, { maxLength: 2 }), any) }),
      { maxLength: 3 },
    );
    fc.assert(
      fc.property(
        fc.oneof(list, any),
        fc.oneof(fc.array(names, { maxLength: 2 }), any),
        fc.oneof(fc.record({ reachable: any, deniedBefore: any }), any),
        (checksOrNot, order, options) => {
          const result = findMasking(
            checksOrNot as CheckDependencies[],
            order as string[],
            options as MaskingOptions,
          );
          expect(typeof result.ok).toBe("boolean");
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe("findMasking for many checks", () => {
  const chain = (length: number): readonly CheckDependencies[] =>
    Array.from({ length }, (_, index) => ({
      id: `c${String(index).padStart(4, "0")}`,
      causes: index === 0 ? [] : [`c${String(index - 1).padStart(4, "0")}`],
    }));
  const listIds = (checks: readonly CheckDependencies[]) => checks.map(({ id }) => id);

  it("findMasking tries every assignment for up to 16 checks, and applies the theorem for more", () => {
    const sixteen = chain(16);
    expect(reportOn(sixteen, listIds(sixteen)).proof).toMatchObject({
      by: "Exhaustion",
      states: 65_536,
    });
    const seventeen = chain(17);
    const report = reportOn(seventeen, [...listIds(seventeen)].reverse());
    expect(report.proof).toEqual({ by: "Theorem" });
    expect(report.maskings).toHaveLength((17 * 16) / 2);
    expect(report.counterexample).toMatchObject({ reported: "c0016", cause: "c0015" });
  });

  it("findMasking returns a result for hundreds of checks that all cause each other", () => {
    const ids = listIds(chain(400));
    const checks = ids.map((id, index) => ({ id, causes: ids.slice(0, index) }));
    expect(reportOn(checks, ids).masks).toBe(false);
    expect(reportOn(chain(400), [...ids].reverse()).maskings).toHaveLength(79_800);
  });
});
