import type { FailurePolicy, FailurePolicyAction } from "@jobset-ts/api";
import { describe, expect, it } from "vitest";
import { listRequests, reconcileForTest } from "../testing/reconciled.ts";
import {
  createCounts,
  earlier,
  job0,
  job1,
  jobSetKey,
  listConditions,
  listEvents,
  running,
  train,
} from "../testing/typical-pass.ts";

describe("the failure policy's actions", () => {
  const jobs = [job0.failed(), running[1]] as const;
  const rule = (action: FailurePolicyAction) =>
    train.withSpec({ failurePolicy: { maxRestarts: 2, rules: [{ name: "one", action }] } });
  const text = (action: string) =>
    `applying ${action} failure policy action (first failed job: train-w-0)`;

  it("without a failure policy a failed Job fails the JobSet", () => {
    const plan = reconcileForTest(train, jobs);
    const message = "jobset failed due to one or more job failures (first failed job: train-w-0)";
    expect(plan.events).toEqual([{ type: "Warning", reason: "FailedJobs", message }]);
    expect(plan.status).toMatchObject({ terminalState: "Failed" });
    expect(plan.metrics.map(({ name }) => name)).toEqual(["jobset_failed_total"]);
  });

  it.each([
    ["RestartJobSet", 1],
    ["RestartJobSetAndIgnoreMaxRestarts", undefined],
  ] as const)("%s counts a restart, towards the limit: %s", (action, countedRestarts) => {
    const plan = reconcileForTest(rule(action), jobs);
    const message = text(action);
    expect(plan.events).toEqual([
      { type: "Warning", reason: "FailurePolicy_one", message },
      { type: "Warning", reason: `${action}FailurePolicyAction`, message },
    ]);
    expect(plan.status).toMatchObject({ restarts: 1 });
    expect(plan.status?.restartsCountTowardsMax).toBe(countedRestarts);
    expect(listConditions(plan)).toEqual(["RestartingJobSet True FailurePolicy_one"]);
    expect(plan.metrics).toEqual([]);
  });

  it("an unchanged condition leads to one Event only", () => {
    const message = text("RestartJobSet");
    const status = {
      conditions: [
        {
          type: "RestartingJobSet",
          status: "True" as const,
          reason: "FailurePolicy_one",
          message,
          lastTransitionTime: earlier,
        },
      ],
    };
    const plan = reconcileForTest(rule("RestartJobSet").withStatus(status), jobs);
    expect(listEvents(plan)).toEqual(["RestartJobSetFailurePolicyAction"]);
    expect(plan.status).toMatchObject({ ...status, restarts: 1 });
  });

  it.each([
    ["RestartJob", [1, 0]],
    ["RestartJobAndIgnoreMaxRestarts", undefined],
  ] as const)(
    "%s counts a restart of the one Job, towards the limit: %j",
    (action, countedRestarts) => {
      const plan = reconcileForTest(rule(action), jobs, { features: { RestartJob: true } });
      expect(plan.events).toEqual([
        { type: "Warning", reason: `${action}FailurePolicyAction`, message: text(action) },
      ]);
      expect(plan.status).toEqual({
        restarts: 0,
        replicatedJobsStatus: [
          createCounts("w", {
            failed: 1,
            ready: 1,
            active: 1,
            jobRestarts: [1, 0],
            ...(countedRestarts !== undefined && {
              jobRestartsCountTowardsMax: [...countedRestarts],
            }),
          }),
        ],
      });
    },
  );

  it("the restart of a single Job is counted even if nothing else is written", () => {
    const stored = createCounts("w", { failed: 1, ready: 1, active: 1, jobRestarts: [0, 0] });
    const jobSet = rule("RestartJobAndIgnoreMaxRestarts").withStatus({
      replicatedJobsStatus: [stored],
    });
    const plan = reconcileForTest(jobSet, jobs, { features: { RestartJob: true } });
    expect(plan.status?.replicatedJobsStatus).toEqual([{ ...stored, jobRestarts: [1, 0] }]);
  });

  it("the counts of single restarts stay when all Jobs restart", () => {
    const stored = createCounts("w", { jobRestarts: [0, 4], jobRestartsCountTowardsMax: [0, 1] });
    const jobSet = rule("RestartJobSet").withStatus({ replicatedJobsStatus: [stored] });
    const plan = reconcileForTest(jobSet, jobs, { features: { RestartJob: true } });
    expect(plan.status?.restarts).toBe(1);
    expect(plan.status?.replicatedJobsStatus?.[0]).toMatchObject({
      jobRestarts: [0, 4],
      jobRestartsCountTowardsMax: [0, 1],
    });
  });

  it("restart counts stay within 32 bits and never decrease", () => {
    for (const restarts of [2_147_483_647, 2_147_483_650]) {
      const jobSet = rule("RestartJobSetAndIgnoreMaxRestarts").withStatus({ restarts });
      const plan = reconcileForTest(jobSet, [job0.ofAttempt(restarts).failed()]);
      expect(plan.status?.restarts).toBe(restarts);
    }
  });

  it("the decision names the rule and the Job", () => {
    expect(reconcileForTest(rule("FailJobSet"), jobs).decisions.at(-1)).toEqual({
      phase: "failure-policy",
      rule: "FailJobSet",
      object: { kind: "Job", name: "train-w-0" },
      message: "Job train-w-0 failed, rule one applies: FailJobSet (FailJobSetFailurePolicyAction)",
    });
  });

  it.each(["RestartJob", "Explode"])(
    "the action %s makes the pass fail after the Jobs of earlier attempts were deleted",
    (action) => {
      const rules = [{ name: "r", action }] as FailurePolicy["rules"];
      const jobSet = train.restarted(1).withSpec({ failurePolicy: { maxRestarts: 9, rules } });
      const plan = reconcileForTest(jobSet, [job0, job1.ofAttempt(1).failed()]);
      expect(listRequests(plan)).toEqual([["delete Job train-w-0"]]);
      expect(plan).toMatchObject({
        events: [],
        metrics: [],
        error: { phase: "failure-policy", object: { kind: "Job", name: "train-w-1" } },
      });
      expect(plan).not.toHaveProperty("status");
      expect(plan.decisions.at(-1)).toMatchObject({ rule: "Refused" });
    },
  );

  it("a restart that is observed late is counted again, but its write requires an unchanged JobSet", () => {
    const failing = train.withSpec({ failurePolicy: { maxRestarts: 9 } });
    const stale = { ...failing, metadata: { ...train.metadata, resourceVersion: "3" } };
    const plans = [1, 2].map(() => reconcileForTest(stale, [job0.failed()]));
    expect(plans.map(({ status }) => status?.restarts)).toEqual([1, 1]);
    expect(plans.map(({ jobSet }) => jobSet.resourceVersion)).toEqual(["3", "3"]);
  });

  it("a failed Job without a ReplicatedJob label counts by its name, and no rule applies to it", () => {
    const nameless = job0.withLabels({ [jobSetKey("replicatedjob-name")]: undefined }).failed();
    const rules = [{ name: "any", action: "FailJobSet" as const }];
    const jobSet = train.withSpec({ failurePolicy: { maxRestarts: 1, rules } });
    const plan = reconcileForTest(jobSet, [nameless]);
    expect(listConditions(plan)).toEqual(["RestartingJobSet True DefaultFailurePolicy"]);
    expect(plan.status?.replicatedJobsStatus).toEqual([createCounts("w", { failed: 1 })]);
  });
});
