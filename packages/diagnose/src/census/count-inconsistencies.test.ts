import type { Pod } from "@jobset-ts/api/kubernetes";
import { createSnapshot } from "@jobset-ts/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../testing/src/testing/runs.ts";
import { podLives } from "../testing/arbitrary-pods.ts";
import { countPods, type PodCounts } from "./census.ts";
import { findCountInconsistencies } from "./count-inconsistencies.ts";

const COUNTS: PodCounts = {
  total: 4,
  running: 1,
  pending: 1,
  failed: 1,
  succeeded: 1,
  other: 0,
  unscheduled: 1,
};

describe("findCountInconsistencies", () => {
  it("findCountInconsistencies accepts consistent counts", () => {
    const spread = [{ podCount: 1 }, { node: "n1", podCount: 3 }];
    expect(findCountInconsistencies(COUNTS, spread)).toEqual([]);
    expect(findCountInconsistencies({})).toEqual([]);
  });

  it.each([
    ["unscheduled beyond pending", { ...COUNTS, unscheduled: 2 }, ["unscheduled 2 > pending 1"]],
    ["unscheduled beyond all", { total: 1, unscheduled: 2 }, ["unscheduled 2 > total 1"]],
    ["a negative count", { unscheduled: -1 }, ["unscheduled: no count"]],
    [
      "phases that do not add up",
      { ...COUNTS, total: 5 },
      ["running 1 + pending 1 + failed 1 + succeeded 1 + other 0 = 4 < total 5"],
    ],
    [
      "phases that were counted, and are too many",
      { total: 2, running: 2, pending: 1 },
      ["running 2 + pending 1 = 3 > total 2"],
    ],
  ])("findCountInconsistencies reports a violated law: %s", (_, counts, broken) => {
    expect(findCountInconsistencies(counts)).toEqual(broken);
  });

  it("findCountInconsistencies reports node counts that do not add up to the total", () => {
    const shares = [{ podCount: 1 }, { node: "n1", podCount: 1 }];
    expect(findCountInconsistencies({ total: 3 }, shares)).toEqual([
      "2 on nodes and unassigned, but total 3",
    ]);
  });

  it("findCountInconsistencies reports more unscheduled Pods than Pods without a node", () => {
    const shares = [{ node: "n1", podCount: 2 }];
    expect(findCountInconsistencies({ total: 2, unscheduled: 1 }, shares)).toEqual([
      "unscheduled 1 > 0 without a node",
    ]);
  });

  it("findCountInconsistencies reports a count that is not a number", () => {
    expect(
      findCountInconsistencies({ total: Number.NaN, pending: 1 }, [
        { podCount: 0.5 },
        { node: "n1", podCount: -1 },
      ]),
    ).toEqual(["total: no count", "no node: no count", "node n1: no count"]);
  });

  describe("counts of changing Pods", () => {
    const traces = fc.array(podLives, { minLength: 1, maxLength: 6 });

    it("findCountInconsistencies never reports counts from one instant", () => {
      fc.assert(
        fc.property(traces, fc.nat(16), (lives, at) => {
          const taken = countPods(createSnapshot(listPodsAt(lives, at), { kinds: "all" }));
          expect(
            taken.ok && findCountInconsistencies(taken.census.counts, taken.census.distribution),
          ).toEqual([]);
        }),
      );
    });

    it("findCountInconsistencies reports some counts that were taken one after the other", () => {
      let caught = 0;
      fc.assert(
        fc.property(traces, fc.array(fc.nat(3), { minLength: 5, maxLength: 5 }), (lives, waits) => {
          let at = 0;
          const names = ["unscheduled", "pending", "failed", "running", "total"] as const;
          const counts = names.map((name, index) => {
            at += waits[index] ?? 0;
            return [name, countPodsAt(lives, at)[name]];
          });
          if (findCountInconsistencies(Object.fromEntries(counts)).length > 0) caught += 1;
        }),
        { numRuns: runs(150) },
      );
      expect(caught).toBeGreaterThan(0);
    });

    it("findCountInconsistencies reports a Pod that was first counted as unscheduled and then as running", () => {
      const life = {
        bornAt: 0,
        steps: [1],
        states: [{ phase: "Pending" }, { phase: "Running", node: "n1" }],
      };
      const { unscheduled } = countPodsAt([life], 0);
      const { pending, running, failed, total } = countPodsAt([life], 1);
      expect({ unscheduled, pending }).toEqual({ unscheduled: 1, pending: 0 });
      expect(findCountInconsistencies({ unscheduled, pending, running, failed, total })).toEqual([
        "unscheduled 1 > pending 0",
      ]);
    });

    it("findCountInconsistencies reports 1 unscheduled Pod among 20 running Pods of 20", () => {
      const printed = { total: 20, running: 20, pending: 0, unscheduled: 1, failed: 0 };
      expect(findCountInconsistencies(printed)).toHaveLength(1);
    });
  });
});

type PodLife = {
  readonly bornAt: number;
  readonly steps: readonly number[];
  readonly states: readonly { readonly phase: string; readonly node?: string | undefined }[];
};

/** Returns the Pods that exist at a time, each in its state at that time. */
function listPodsAt(lives: readonly PodLife[], at: number): readonly Pod[] {
  return lives.flatMap(({ bornAt, steps, states }, index) => {
    if (at < bornAt) return [];
    let reached = 0;
    let changesAt = bornAt;
    for (const step of steps) {
      changesAt += step;
      if (changesAt <= at) reached += 1;
    }
    const { phase, node } = states[Math.min(reached, states.length - 1)] ?? { phase: "Pending" };
    return [
      {
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name: `p-${index}`, namespace: "ml" },
        spec: { containers: [], ...(node !== undefined && { nodeName: node }) },
        status: { phase: phase as "Pending" },
      },
    ];
  });
}

function countPodsAt(lives: readonly PodLife[], at: number): PodCounts {
  const taken = countPods(createSnapshot(listPodsAt(lives, at), { kinds: "all" }));
  if (!taken.ok) throw new Error(taken.message);
  return taken.census.counts;
}
