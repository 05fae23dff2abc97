import { formatFieldError } from "@jobset-ts/api/errors";
import { describe, expect, it } from "vitest";
import { findFinished, isActive, podsReady } from "./jobset-state.ts";
import { podsReadyCondition } from "./pods-ready-condition.ts";
import {
  capReclaimablePods,
  reclaimablePods,
  reclaimableUpdateErrors,
} from "./reclaimable-pods.ts";

const job = (name: string, replicas: number, parallelism: number, completions: number) => ({
  name,
  replicas,
  template: { spec: { parallelism, completions } },
});
const spec = { replicatedJobs: [job("rj1", 1, 2, 2), job("RJ2", 2, 3, 6)] };
const withStatus = (...replicatedJobsStatus: object[]) => ({
  spec,
  status: { replicatedJobsStatus },
});
const condition = (type: string, status: "True" | "False", reason = "r", message = "m") => ({
  type,
  status,
  reason,
  message,
});

describe("findFinished", () => {
  it("findFinished reports a success if a JobSet is both Completed and Failed", () => {
    const conditions = [condition("Failed", "True"), condition("Completed", "True", "r", "done")];
    expect(findFinished({ status: { conditions } })).toEqual({
      finished: true,
      success: true,
      message: "done",
    });
  });

  it("findFinished uses the first condition of a type", () => {
    const conditions = [condition("Failed", "False"), condition("Failed", "True")];
    expect(findFinished({ status: { conditions } }).finished).toBe(false);
  });
});

describe("Pods of a JobSet", () => {
  it("podsReady compares the number of ready Jobs over all ReplicatedJobs", () => {
    expect(podsReady(withStatus({ name: "x", ready: 2, succeeded: 1 }))).toBe(true);
    expect(podsReady(withStatus({ name: "x", ready: 4 }))).toBe(false);
    expect(podsReady({})).toBe(true);
  });

  it("podsReady and reclaimablePods count in int32", () => {
    const most = 2 ** 31 - 1;
    const replicatedJobs = [job("a", most, -2, -2), job("b", most, 1, 1), job("c", 3, 1, 1)];
    const status = { replicatedJobsStatus: [{ name: "a", ready: 1, succeeded: 0 }] };
    expect(podsReady({ spec: { replicatedJobs }, status })).toBe(true);
    const succeeded = { replicatedJobsStatus: [{ name: "a", succeeded: most }] };
    expect(reclaimablePods({ spec: { replicatedJobs }, status: succeeded })).toEqual([
      { name: "a", count: 2 },
    ]);
  });

  it("isActive is false without a status", () => {
    expect(isActive(withStatus())).toBe(false);
    expect(isActive(withStatus({ active: 0 }, { active: 1 }))).toBe(true);
  });
});

describe("podsReadyCondition", () => {
  const workload = (...conditions: object[]) => ({
    status: { conditions: [condition("Admitted", "True"), ...conditions] },
  });
  const ready = withStatus({ ready: 3 });
  const unready = withStatus({ ready: 2 });

  it.each([
    ["waits for admission", {}, ready, "WaitForStart"],
    ["starts", workload(), ready, "Started"],
    ["recovers", workload(condition("PodsReady", "False", "WaitForRecovery")), ready, "Recovered"],
    ["stays recovered", workload(condition("PodsReady", "True", "Recovered")), ready, "Recovered"],
    ["is no longer ready", workload(condition("PodsReady", "True")), unready, "WaitForRecovery"],
    [
      "still recovers",
      workload(condition("PodsReady", "False", "WaitForRecovery")),
      unready,
      "WaitForRecovery",
    ],
    ["is admitted and not ready", workload(), unready, "WaitForStart"],
  ])("podsReadyCondition of a JobSet that %s", (_, given, jobSet, reason) => {
    expect(podsReadyCondition(given, jobSet).reason).toBe(reason);
  });
});

describe("reclaimable Pods", () => {
  it.each([
    ["undefined before the first status", [], undefined],
    [
      "the Pods of the first ReplicatedJob",
      [{ name: "rj1", succeeded: 1 }],
      [{ name: "rj1", count: 2 }],
    ],
    [
      "the Pods of the second ReplicatedJob",
      [{ name: "RJ2", succeeded: 1 }],
      [{ name: "rj2", count: 3 }],
    ],
    [
      "the Pods of all ReplicatedJobs",
      [
        { name: "RJ2", succeeded: 2 },
        { name: "rj1", succeeded: 1 },
      ],
      [
        { name: "rj1", count: 2 },
        { name: "rj2", count: 6 },
      ],
    ],
    ["no Pods if more Jobs succeeded than the spec has", [{ name: "RJ2", succeeded: 3 }], []],
  ])("reclaimablePods returns %s", (_, statuses, expected) => {
    expect(reclaimablePods(withStatus(...statuses))).toEqual(expected);
  });

  it("capReclaimablePods limits Pods to their Pod set and keeps unknown sets", () => {
    const podSets = [{ name: "a", count: 1 }];
    const reclaimable = [
      { name: "a", count: 2 },
      { name: "b", count: 2 },
    ];
    expect(capReclaimablePods(reclaimable, podSets)).toEqual([
      { name: "a", count: 1 },
      { name: "b", count: 2 },
    ]);
  });

  it("reclaimableUpdateErrors rejects a decrease while quota is reserved, and unknown Pod sets", () => {
    const workload = (reclaimablePods: object[], reserved: "True" | "False") => ({
      spec: { podSets: ["b", "a"].map((name) => ({ name, count: 3 })) },
      status: { reclaimablePods, conditions: [condition("QuotaReserved", reserved)] },
    });
    const before = [
      { name: "b", count: 2 },
      { name: "a", count: 2 },
    ];
    const after = [
      { name: "a", count: 1 },
      { name: "c", count: 1 },
    ];
    const texts = (reserved: "True" | "False") =>
      reclaimableUpdateErrors(workload(before, reserved), workload(after, reserved)).map(
        formatFieldError,
      );
    const unknown =
      'status.reclaimablePods[c].name: Unsupported value: "c": supported values: "a", "b"';
    expect(texts("False")).toEqual([unknown]);
    expect(texts("True")).toEqual([
      unknown,
      "status.reclaimablePods[a].count: Invalid value: 1: cannot be less than 2",
      "status.reclaimablePods[b]: Required value: cannot be removed",
    ]);
  });
});
