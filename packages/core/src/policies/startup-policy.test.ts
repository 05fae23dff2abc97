import type { ReplicatedJobStatus, StartupPolicy } from "@jobset-ts/api";
import { aJobSet } from "@jobset-ts/testing";
import { describe, expect, it } from "vitest";
import { evaluateStartupPolicy, isInOrderStartup } from "./startup-policy.ts";

const inOrder = aJobSet("train").withSpec({ startupPolicy: { startupPolicyOrder: "InOrder" } });

function createCounts(ready: number, succeeded = 0, failed = 0): ReplicatedJobStatus {
  return { name: "workers", ready, succeeded, failed, active: 0, suspended: 0 };
}

describe("isInOrderStartup", () => {
  it.each([
    ["InOrder", true],
    ["AnyOrder", false],
    ["Sideways", false],
    [undefined, false],
  ])("isInOrderStartup under %s is %s", (order, expected) => {
    const startupPolicy = { startupPolicyOrder: order as StartupPolicy["startupPolicyOrder"] };
    expect(isInOrderStartup(aJobSet("train").withSpec({ startupPolicy }))).toBe(expected);
  });

  it("isInOrderStartup is false without a startup policy", () => {
    expect(isInOrderStartup(aJobSet("train"))).toBe(false);
  });
});

describe("evaluateStartupPolicy", () => {
  it.each([
    ["none is ready", createCounts(0), "StartAndStop"],
    ["some are ready", createCounts(1), "StartAndStop"],
    ["all are ready", createCounts(3), "AlreadyStarted"],
    ["all are ready or have ended", createCounts(1, 1, 1), "AlreadyStarted"],
    ["all have failed", createCounts(0, 0, 3), "AlreadyStarted"],
    ["there are surplus Jobs", createCounts(4), "StartAndStop"],
    ["they have no counters", undefined, "StartAndStop"],
  ] as const)("evaluateStartupPolicy of three Jobs, when %s, is %s", (_, status, action) => {
    expect(evaluateStartupPolicy(inOrder, 3, status)).toEqual({ action: `${action}` });
  });

  it("evaluateStartupPolicy passes a ReplicatedJob without Jobs at once", () => {
    expect(evaluateStartupPolicy(inOrder, 0, createCounts(0)).action).toBe("AlreadyStarted");
  });

  it("evaluateStartupPolicy blocks nothing while the JobSet is suspended, or without an order", () => {
    expect(evaluateStartupPolicy(inOrder.suspended(), 3, createCounts(0)).action).toBe("Proceed");
    expect(evaluateStartupPolicy(inOrder.suspended(), 3, createCounts(3)).action).toBe("Proceed");
    expect(evaluateStartupPolicy(aJobSet("train"), 3, createCounts(3)).action).toBe("Proceed");
  });
});
