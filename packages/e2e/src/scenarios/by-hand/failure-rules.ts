import assert from "node:assert/strict";
import type { Stored } from "../../cluster.ts";
import { part, type Scenario, type Stage } from "../../scenario.ts";
import { failed } from "./job-statuses.ts";
import { applying } from "./messages.ts";

const jobs = ["driver-0", "workers-0", "workers-1"];

/** Creates a JobSet with these failure policy rules and its Jobs. */
async function createWith(stage: Stage, ...rules: readonly Stored[]): Promise<void> {
  await stage.create({
    failurePolicy: { maxRestarts: 1, rules },
    replicatedJobs: [part("driver"), part("workers", { replicas: 2 })],
  });
  await stage.jobs(...jobs);
}

/** Waits until a rule has failed the JobSet. */
async function failedByRule(stage: Stage, job: string): Promise<void> {
  await stage.conditions(
    `Failed=True FailJobSetFailurePolicyAction: ${applying("FailJobSet", job)}`,
  );
  await stage.events(`Warning FailJobSetFailurePolicyAction: ${applying("FailJobSet", job)}`);
  await stage.waitForValue(() => stage.jobNames(), [job]);
}

/** Waits until the JobSet has restarted, and checks the rule that caused it. */
async function restartedBy(
  stage: Stage,
  reason: string,
  job: string,
  action = "RestartJobSet",
): Promise<Stored> {
  await stage.atAttempt(1, ...jobs);
  const jobSet = await stage.conditions(
    `RestartingJobSet=True ${reason}: ${applying(action, job)}`,
  );
  await stage.events(
    `Warning ${reason}: ${applying(action, job)}`,
    `Warning ${action}FailurePolicyAction: ${applying(action, job)}`,
  );
  return jobSet;
}

export const failureRules: readonly Scenario[] = [
  {
    name: "FailJobSet matches the reason of a failure",
    async play(stage) {
      await createWith(stage, {
        name: "late",
        action: "FailJobSet",
        onJobFailureReasons: ["DeadlineExceeded", "PodFailurePolicy"],
      });
      await stage.jobStatus("workers-0", failed({ reason: "PodFailurePolicy" }));
      await failedByRule(stage, "workers-0");
    },
  },
  {
    name: "a rule with another reason does not match, and the JobSet restarts",
    async play(stage) {
      await createWith(stage, {
        name: "late",
        action: "FailJobSet",
        onJobFailureReasons: ["DeadlineExceeded"],
      });
      await stage.jobStatus("workers-0", failed({ reason: "BackoffLimitExceeded" }));
      const { status } = await restartedBy(stage, "DefaultFailurePolicy", "workers-0");
      assert.equal(status.restartsCountTowardsMax, 1);
    },
  },
  {
    name: "FailJobSet matches a pattern anywhere in the message",
    async play(stage) {
      await createWith(stage, {
        name: "exitCode",
        action: "FailJobSet",
        onJobFailureMessagePatterns: ["OOM", "exit code (42|43)"],
      });
      const message = "Container main for pod ns/train-driver-0-0 failed with exit code 42";
      await stage.jobStatus("driver-0", failed({ reason: "PodFailurePolicy", message }));
      await failedByRule(stage, "driver-0");
    },
  },
  {
    name: "a rule with another pattern does not match",
    async play(stage) {
      await createWith(stage, {
        name: "exitCode",
        action: "FailJobSet",
        onJobFailureReasons: ["PodFailurePolicy"],
        onJobFailureMessagePatterns: ["^exit code 42"],
      });
      const message = "Container main failed with exit code 42";
      await stage.jobStatus("driver-0", failed({ reason: "PodFailurePolicy", message }));
      await restartedBy(stage, "DefaultFailurePolicy", "driver-0");
    },
  },
  {
    name: "FailJobSet applies only to its targets",
    async play(stage) {
      await createWith(stage, {
        name: "driver",
        action: "FailJobSet",
        targetReplicatedJobs: ["driver"],
      });
      await stage.jobStatus("workers-1", failed());
      await stage.atAttempt(1, ...jobs);
      await stage.jobStatus("driver-0", failed());
      await stage.conditions(
        "RestartingJobSet=False JobSetFailed: jobset failed",
        `Failed=True FailJobSetFailurePolicyAction: ${applying("FailJobSet", "driver-0")}`,
      );
      await stage.events(
        `Warning DefaultFailurePolicy: ${applying("RestartJobSet", "workers-1")}`,
        `Warning RestartJobSetFailurePolicyAction: ${applying("RestartJobSet", "workers-1")}`,
        `Warning FailJobSetFailurePolicyAction: ${applying("FailJobSet", "driver-0")}`,
        "Normal JobSetFailed: jobset failed",
      );
    },
  },
  {
    name: "the first matching rule applies",
    async play(stage) {
      await createWith(
        stage,
        { name: "workers", action: "RestartJobSet", targetReplicatedJobs: ["workers"] },
        { name: "any", action: "FailJobSet" },
      );
      await stage.jobStatus("workers-0", failed());
      await restartedBy(stage, "FailurePolicy_workers", "workers-0");
    },
  },
  {
    name: "a rule without a name is named by its index",
    async play(stage) {
      await createWith(
        stage,
        { name: "driver", action: "FailJobSet", targetReplicatedJobs: ["driver"] },
        { action: "RestartJobSet" },
      );
      await stage.jobStatus("workers-0", failed());
      await restartedBy(stage, "FailurePolicy_failurePolicyRule1", "workers-0");
    },
  },
  {
    name: "RestartJobSetAndIgnoreMaxRestarts restarts repeatedly without counting",
    async play(stage) {
      const action = "RestartJobSetAndIgnoreMaxRestarts";
      await createWith(stage, { name: "any", action });
      await stage.jobStatus("workers-0", failed());
      const { status } = await restartedBy(stage, "FailurePolicy_any", "workers-0", action);
      assert.deepEqual([status.restarts, status.restartsCountTowardsMax], [1, undefined]);
      for (const attempt of [2, 3]) {
        await stage.jobStatus("workers-1", failed());
        await stage.atAttempt(attempt, ...jobs);
      }
      const after = await stage.conditions(
        `RestartingJobSet=True FailurePolicy_any: ${applying(action, "workers-1")}`,
      );
      assert.deepEqual(
        [after.status.restarts, after.status.restartsCountTowardsMax],
        [3, undefined],
      );
    },
  },
];
