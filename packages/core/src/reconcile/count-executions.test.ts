import type { Job } from "@jobset-ts/api/kubernetes";
import { describe, expect, it } from "vitest";
import type { CreateEffect } from "../plan/effects.ts";
import type { Plan } from "../plan/plan.ts";
import { listRequests, listSteps, reconcileForTest } from "../testing/reconciled.ts";
import {
  job0,
  job1,
  listConditions,
  listEvents,
  service,
  train,
  withConditions,
} from "../testing/typical-pass.ts";

describe("the count of executions (KEP-1282)", () => {
  const features = { ExecutionAttemptsTracking: true };
  const key = "jobset.sigs.k8s.io/execution-attempt";
  const suspended = withConditions(train, "Suspended");
  const getAttempts = (plan: Plan) => plan.status?.executionAttempts;
  const getJobAnnotations = (plan: Plan) =>
    listSteps(plan)
      .flatMap(({ effects }) => effects)
      .filter((effect): effect is CreateEffect => effect.verb === "create")
      .map(({ object }) => object as Job)
      .filter(({ kind }) => kind === "Job")
      .map(({ metadata, spec }) => [
        metadata.annotations?.[key],
        spec.template.metadata?.annotations?.[key],
        metadata.labels?.[key],
      ]);

  it("the count of executions and the Jobs stay unchanged without the gate (E1)", () => {
    expect(getAttempts(reconcileForTest(train))).toBeUndefined();
    const stored = train.withStatus({ executionAttempts: 4 });
    const plan = reconcileForTest(stored);
    expect(getAttempts(plan)).toBe(4);
    expect(getJobAnnotations(plan)).toEqual([
      [undefined, undefined, undefined],
      [undefined, undefined, undefined],
    ]);
  });

  it("the count of executions starts at the number of restarts, and the Jobs of the same pass have it (E2)", () => {
    const plan = reconcileForTest(train.restarted(2), [service, job0.ofAttempt(2)], { features });
    expect(getAttempts(plan)).toBe(2);
    expect(getJobAnnotations(plan)).toEqual([["2", "2", undefined]]);
    expect(plan.decisions).toContainEqual({
      phase: "execution-attempts",
      rule: "Initialize",
      object: { kind: "JobSet", name: "train" },
      message: "status.executionAttempts becomes 2",
    });
  });

  it("execution attempts are 0 for a JobSet that runs for the first time (E3)", () => {
    const plan = reconcileForTest(train, [], { features });
    expect(getAttempts(plan)).toBe(0);
    expect(getJobAnnotations(plan)).toEqual([
      ["0", "0", undefined],
      ["0", "0", undefined],
    ]);
    expect(JSON.stringify(plan.status)).toContain('"executionAttempts":0');
  });

  it("execution attempts stay unset until a JobSet that was created suspended runs, and its Jobs have attempt 0", () => {
    const plan = reconcileForTest(train.suspended(), [], { features });
    expect(getAttempts(plan)).toBeUndefined();
    expect(getJobAnnotations(plan)).toEqual([
      ["0", "0", undefined],
      ["0", "0", undefined],
    ]);
    const next = { ...train.suspended(), status: plan.status };
    const jobs = [job0.suspended(), job1.suspended()];
    expect(reconcileForTest(next, [service, ...jobs], { features }).status?.executionAttempts).toBe(
      undefined,
    );
  });

  it("execution attempts increase in the write that ends the suspension, before any Job runs (E4)", () => {
    const jobSet = suspended.withStatus({ executionAttempts: 4 });
    const jobs = [job0.suspended(), job1.suspended()];
    const plan = reconcileForTest(jobSet, jobs, { features });
    // The Service is created first. Jobs do not change.
    expect(listRequests(plan)).toEqual([["create Service train"]]);
    expect(getAttempts(plan)).toBe(5);
    expect(listConditions(plan)).toEqual(["Suspended False ResumeJobs"]);
    expect(listEvents(plan)).toEqual(["ResumeJobs"]);

    const next = reconcileForTest({ ...jobSet, status: plan.status }, [service, ...jobs], {
      features,
    });
    expect(listRequests(next)).toEqual([["update Job train-w-0", "update Job train-w-1"]]);
    expect(next.status).toBeUndefined();
    const effect = listSteps(next)[0]?.effects[0];
    expect(effect).toMatchObject({
      object: {
        metadata: { annotations: { [key]: "5" } },
        spec: { template: { metadata: { annotations: { [key]: "5" } } } },
      },
    });
  });

  it("a resume ends the suspension at once, even with in-order startup", () => {
    const jobSet = suspended.withSpec({ startupPolicy: { startupPolicyOrder: "InOrder" } });
    const plan = reconcileForTest(jobSet, [service, job0.suspended()], { features });
    expect(listSteps(plan)).toEqual([]);
    expect(listConditions(plan)).toEqual(["Suspended False ResumeJobs"]);
    expect(getAttempts(plan)).toBe(0);
  });

  it("execution attempts increase once per resume, for any number of conflicts of its write", () => {
    const jobSet = suspended.withStatus({ executionAttempts: 4 });
    const twice = [1, 2].map(() => getAttempts(reconcileForTest(jobSet, [service], { features })));
    expect(twice).toEqual([5, 5]);
  });

  it.each(["RestartJobSet", "RestartJobSetAndIgnoreMaxRestarts"] as const)(
    "execution attempts increase with %s, in the write that counts the restart (E5)",
    (action) => {
      const jobSet = train
        .withStatus({ executionAttempts: 4 })
        .withSpec({ failurePolicy: { maxRestarts: 1, rules: [{ name: "r", action }] } });
      expect(reconcileForTest(jobSet, [job0.failed()], { features }).status).toMatchObject({
        restarts: 1,
        executionAttempts: 5,
      });
      expect(reconcileForTest(jobSet, [job0.failed()]).status).toMatchObject({
        executionAttempts: 4,
      });
    },
  );

  it("execution attempts increase together with a first count in the same pass, and are at least the restarts (E7)", () => {
    const jobSet = train.restarted(2).withSpec({ failurePolicy: { maxRestarts: 9 } });
    const plan = reconcileForTest(jobSet, [job0.ofAttempt(2).failed()], { features });
    expect(plan.status).toMatchObject({ restarts: 3, executionAttempts: 3 });
  });

  it("execution attempts stay unset after a restart before anything has run, and start with the next pass", () => {
    const jobSet = train.suspended().withSpec({ failurePolicy: { maxRestarts: 9 } });
    const plan = reconcileForTest(jobSet, [job0.suspended().failed()], { features });
    expect(plan.status).toMatchObject({ restarts: 1 });
    expect(getAttempts(plan)).toBeUndefined();
    const next = reconcileForTest({ ...jobSet, status: plan.status }, [], { features });
    expect(getAttempts(next)).toBe(1);
  });

  it("execution attempts do not increase with the restart of a single Job or in-place restart (E5)", () => {
    const single = train.withStatus({ executionAttempts: 4 }).withSpec({
      failurePolicy: { maxRestarts: 1, rules: [{ name: "r", action: "RestartJob" }] },
    });
    const gates = { ...features, RestartJob: true };
    expect(getAttempts(reconcileForTest(single, [job0.failed()], { features: gates }))).toBe(4);
  });
});
