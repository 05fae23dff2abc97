import { describeMasking, findMasking } from "@jobset-ts/checks";
import { quirks } from "@jobset-ts/core";
import { describe, expect, it } from "vitest";
import type { ReportedPodCheckId } from "./pod-check-ids.ts";
import { podChecks } from "./pod-checks.ts";
import { podOrder, ROOT_CAUSE_POD_ORDER, UPSTREAM_POD_ORDER } from "./pod-orders.ts";
import { PR_1188_POD_ORDER } from "./testing/pr-1188-pod-order.ts";

/** The checks that clients may see, without their hidden causes, so that all states can be enumerated. */
const visibleChecks = podChecks
  .filter(({ id }) => isReportedId(id))
  .map(({ id, causes, needs = [] }) => ({
    id,
    causes: causes.filter(isReportedId),
    needs: needs.filter(isReportedId),
  }));

function isReportedId(id: string): id is ReportedPodCheckId {
  return ROOT_CAUSE_POD_ORDER.some((one) => one === id);
}

function evaluateOrder(
  order: readonly ReportedPodCheckId[],
  checks: typeof visibleChecks | typeof podChecks = visibleChecks,
) {
  const report = findMasking<string>(checks, order);
  if (!report.ok) throw new Error(report.message);
  return report;
}

describe("upstream's order of checks", () => {
  it("upstream's order of checks masks the pending leader, among other causes", () => {
    const { masks, counterexample, maskings } = evaluateOrder(UPSTREAM_POD_ORDER);
    expect(masks).toBe(true);
    expect(counterexample).toMatchObject({
      reported: "node-selector-set",
      cause: "leader-scheduled",
      failing: ["leader-scheduled", "node-selector-set"],
    });
    expect(maskings.map(({ reported, cause }) => `${reported} < ${cause}`)).toEqual([
      "node-selector-set < follower-labelled",
      "node-selector-set < one-active-leader",
      "node-selector-set < same-owner",
      "node-selector-set < leader-scheduled",
      "topology-key-selected < follower-labelled",
      "topology-key-selected < one-active-leader",
      "topology-key-selected < same-owner",
      "topology-key-selected < leader-scheduled",
    ]);
  });

  it("upstream's order of checks masks the same causes if hidden causes are included", () => {
    expect(evaluateOrder(UPSTREAM_POD_ORDER, podChecks).counterexample).toMatchObject({
      reported: "node-selector-set",
      cause: "leader-scheduled",
    });
  });

  it("the order of pull request #1188 fixes the masking in upstream's order", () => {
    expect(evaluateOrder(UPSTREAM_POD_ORDER).fixedOrder).toEqual(PR_1188_POD_ORDER);
  });
});

describe("the order of pull request #1188", () => {
  it("the order of pull request #1188 masks none of its checks, but does not check the leader's node", () => {
    const { masks, maskings, gaps, proof } = evaluateOrder(PR_1188_POD_ORDER);
    expect([masks, maskings]).toEqual([false, []]);
    expect(proof).toMatchObject({ by: "Exhaustion", maskedWithinOrder: 0 });
    expect(proof).not.toMatchObject({ masked: 0 });
    expect(gaps.map(({ check, missingCause }) => [check, missingCause])).toEqual([
      ["node-selector-set", "node-known"],
      ["node-selector-set", "node-in-domain"],
      ["topology-key-selected", "node-known"],
      ["topology-key-selected", "node-in-domain"],
    ]);
  });
});

describe("our order of checks", () => {
  it("the default order of checks masks nothing in any possible state", () => {
    const { masks, gaps, proof, fixedOrder } = evaluateOrder(ROOT_CAUSE_POD_ORDER);
    expect(masks).toBe(false);
    expect(gaps).toEqual([]);
    expect(proof).toMatchObject({ by: "Exhaustion", masked: 0, failingButAdmitted: 0 });
    expect(fixedOrder).toEqual(ROOT_CAUSE_POD_ORDER);
  });

  it("no order masks a cause once the hidden causes of the checks are included", () => {
    const { masks, gaps } = evaluateOrder(ROOT_CAUSE_POD_ORDER, podChecks);
    expect(masks).toBe(false);
    expect(gaps.filter(({ missingCause }) => isReportedId(missingCause))).toEqual([]);
  });

  it("describeMasking describes the orders of Pod checks", () => {
    expect(describeMasking(evaluateOrder(ROOT_CAUSE_POD_ORDER))).toContain(
      "This order never reports a symptom while a cause that it also checks fails.",
    );
  });
});

describe("the order of the checks", () => {
  it("the default order is used without quirks, and upstream's order with its quirk", () => {
    expect(podOrder(new Set())).toEqual(ROOT_CAUSE_POD_ORDER);
    expect(podOrder(new Set(quirks))).toEqual(UPSTREAM_POD_ORDER);
  });

  it("both orders check the value of the selector last", () => {
    expect(podOrder(new Set(["FollowerSelectorCheckedFirst"] as const))).toEqual([
      ...UPSTREAM_POD_ORDER,
      "node-known",
      "node-in-domain",
      "leader-domain-selected",
    ]);
    expect(podOrder(new Set(["FollowerSelectorValueUnchecked"] as const))).toEqual(
      ROOT_CAUSE_POD_ORDER.slice(0, -1),
    );
  });
});
