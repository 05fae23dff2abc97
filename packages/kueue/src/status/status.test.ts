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

describe("the end of a JobSet", () => {
  it("is a success where it has both succeeded and failed", () => {
    const conditions = [condition("Failed", "True"), condition("Completed", "True", "r", "done")];
    expect(findFinished({ status: { conditions } })).toEqual({
      finished: true,
      success: true,
      message: "done",
    });
  });

  it("only the first condition of a type counts", () => {
    const conditions = [condition("Failed", "False"), condition("Failed", "True")];
    expect(findFinished({ status: { conditions } }).finished).toBe(false);
  });
});

describe("the Pods of a JobSet", () => {
  it("are ready when as many Jobs are as there are to be, over all", () => {
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

  it("run no more when no status says so", () => {
    expect(isActive(withStatus())).toBe(false);
    expect(isActive(withStatus({ active: 0 }, { active: 1 }))).toBe(true);
  });
});

describe("PodsReady", () => {
  const workload = (...conditions: object[]) => ({
    status: { conditions: [condition("Admitted", "True"), ...conditions] },
  });
  const ready = withStatus({ ready: 3 });
  const unready = withStatus({ ready: 2 });

  it.each([
    ["waits while it is not admitted", {}, ready, "WaitForStart"],
    ["has started", workload(), ready, "Started"],
    [
      "has recovered",
      workload(condition("PodsReady", "False", "WaitForRecovery")),
      ready,
      "Recovered",
    ],
    ["stays recovered", workload(condition("PodsReady", "True", "Recovered")), ready, "Recovered"],
    [
      "waits for recovery once it was ready",
      workload(condition("PodsReady", "True")),
      unready,
      "WaitForRecovery",
    ],
    [
      "continues to wait for it",
      workload(condition("PodsReady", "False", "WaitForRecovery")),
      unready,
      "WaitForRecovery",
    ],
    ["waits for the start", workload(), unready, "WaitForStart"],
  ])("%s", (_, given, jobSet, reason) => {
    expect(podsReadyCondition(given, jobSet).reason).toBe(reason);
  });
});

describe("reclaimable Pods", () => {
  it.each([
    ["nothing before the first status", [], undefined],
    ["those of the first", [{ name: "rj1", succeeded: 1 }], [{ name: "rj1", count: 2 }]],
    ["those of the second", [{ name: "RJ2", succeeded: 1 }], [{ name: "rj2", count: 3 }]],
    [
      "all",
      [
        { name: "RJ2", succeeded: 2 },
        { name: "rj1", succeeded: 1 },
      ],
      [
        { name: "rj1", count: 2 },
        { name: "rj2", count: 6 },
      ],
    ],
    ["none where more Jobs have succeeded than there are", [{ name: "RJ2", succeeded: 3 }], []],
  ])("are %s", (_, statuses, expected) => {
    expect(reclaimablePods(withStatus(...statuses))).toEqual(expected);
  });

  it("are limited to the Pods of a set, and kept where there is none", () => {
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

  it("may not go down while quota is held, nor be of sets that there are not", () => {
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
