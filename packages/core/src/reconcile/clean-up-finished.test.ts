import type { Condition } from "@jobset-ts/api/kubernetes";
import { aJob } from "@jobset-ts/testing";
import { describe, expect, it } from "vitest";
import { listRequests, listSteps, reconcileForTest } from "../testing/reconciled.ts";
import {
  conditionWith,
  createCounts,
  job0,
  job1,
  service,
  train,
  withConditions,
} from "../testing/typical-pass.ts";

describe("a finished JobSet", () => {
  it.each(["Completed", "Failed"])(
    "a finished JobSet that is %s loses its active Jobs and no others",
    (type) => {
      const jobs = [
        job0.completed(),
        job1.failed(),
        aJob("train-w-2").withStatus({ active: 1 }),
        aJob("train-w-3").beingDeleted(),
        aJob("train-w-4").ofAttempt(-1),
        aJob("train-w-5").ofAttempt(-1).completed(),
      ];
      const plan = reconcileForTest(withConditions(train, type), jobs);
      expect(listRequests(plan)).toEqual([["delete Job train-w-2", "delete Job train-w-4"]]);
      expect(plan.status?.replicatedJobsStatus).toEqual([
        createCounts("w", { succeeded: 1, failed: 1 }),
      ]);
      expect(plan.events).toEqual([]);
    },
  );

  it("a finished JobSet keeps Jobs of earlier attempts with the quirk EndSparesEarlierAttempts", () => {
    const quirks = ["EndSparesEarlierAttempts"] as const;
    const jobs = [aJob("train-w-2"), aJob("train-w-4").ofAttempt(-1)];
    const plan = reconcileForTest(withConditions(train, "Failed"), jobs, { quirks });
    expect(listRequests(plan)).toEqual([["delete Job train-w-2"]]);
  });

  it("a finished JobSet still counts its Jobs while they are deleted", () => {
    const jobSet = withConditions(train, "Completed").withStatus({
      replicatedJobsStatus: [createCounts("w", { succeeded: 2 })],
    });
    const one = reconcileForTest(jobSet, [job0.completed()]);
    expect(one.status?.replicatedJobsStatus).toEqual([createCounts("w", { succeeded: 1 })]);
    expect(listSteps(one)).toEqual([]);
    expect(reconcileForTest(jobSet, [job0.completed(), job1.completed()]).status).toBeUndefined();
  });

  it("conditions decide whether a JobSet has finished, never terminalState", () => {
    const jobSet = train.withStatus({ terminalState: "Completed" });
    expect(listRequests(reconcileForTest(jobSet, [service]))).toEqual([
      ["create Job train-w-0", "create Job train-w-1"],
    ]);
  });

  it("a finished JobSet is not restarted or resumed, and gets no Service", () => {
    const plan = reconcileForTest(withConditions(train, "Failed", "Suspended"), [job0.failed()], {
      features: { ExecutionAttemptsTracking: true },
    });
    expect(listSteps(plan)).toEqual([]);
    expect(plan.status).not.toHaveProperty("executionAttempts");
  });

  it("a finish without a time makes the pass fail after the active Jobs were deleted", () => {
    const { lastTransitionTime: _, ...completed } = conditionWith("Completed");
    const jobSet = train
      .withSpec({ ttlSecondsAfterFinished: 0 })
      .withStatus({ conditions: [completed as Condition] });
    const plan = reconcileForTest(jobSet, [job0]);
    expect(listRequests(plan)).toEqual([["delete Job train-w-0"]]);
    expect(plan.error).toMatchObject({ phase: "delete-jobset" });
    expect(plan).not.toHaveProperty("status");
  });

  it("the remaining time is never negative", () => {
    const jobSet = train
      .withSpec({ ttlSecondsAfterFinished: 5 })
      .withStatus({ conditions: [conditionWith("Completed")] });
    for (const now of ["09:00:04.999", "09:00:05", "09:00:05.001"]) {
      const plan = reconcileForTest(jobSet, [], { now: `2026-08-18T${now}Z` });
      expect(plan.requeueAfterSeconds ?? 1).toBeGreaterThan(0);
      expect(plan.requeueAfterSeconds === undefined).toBe(listSteps(plan).length === 1);
    }
  });
});
