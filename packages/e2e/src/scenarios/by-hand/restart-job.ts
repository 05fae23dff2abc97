import assert from "node:assert/strict";
import { JOB_RESTART_ATTEMPT_KEY, RESTART_ATTEMPT_KEY } from "@jobset-ts/api/keys";
import type { Stored } from "../../cluster.ts";
import { part, type Scenario, type Stage } from "../../scenario.ts";
import { complete, failed } from "./job-statuses.ts";
import { applying, deniedJobSet } from "./messages.ts";

const gates = ["RestartJob"];
const replicatedJobs = [part("driver"), part("workers", { replicas: 2 })];
const jobs = ["driver-0", "workers-0", "workers-1"];

const policy = (action: string, maxRestarts = 2) => ({
  maxRestarts,
  rules: [{ name: "any", action }],
});

/** Waits until the status has these restart counts for a ReplicatedJob. */
function countRestarts(stage: Stage, replicatedJob: string, expected: Stored): Promise<void> {
  return stage.waitForValue(async () => {
    const { jobRestarts, jobRestartsCountTowardsMax } = (
      await stage.jobSet()
    ).status.replicatedJobsStatus.find(({ name }: Stored) => name === replicatedJob);
    return { jobRestarts, jobRestartsCountTowardsMax };
  }, expected);
}

/** Waits until a Job exists with the given number of individual restarts. */
function jobAttempt(stage: Stage, job: string, attempt: number): Promise<void> {
  return stage.waitForValue(async () => {
    const { labels } = (await stage.job(job)).metadata;
    return [labels[RESTART_ATTEMPT_KEY], labels[JOB_RESTART_ATTEMPT_KEY]];
  }, ["0", String(attempt)]);
}

export const restartJob: readonly Scenario[] = [
  {
    name: "RestartJob recreates the failed Job, and fails the JobSet after maxRestarts",
    gates,
    async play(stage) {
      await stage.create({ failurePolicy: policy("RestartJob"), replicatedJobs });
      const before = await stage.jobs(...jobs);
      await stage.jobStatus("workers-1", failed());
      await jobAttempt(stage, "workers-1", 1);
      await countRestarts(stage, "workers", {
        jobRestarts: [0, 1],
        jobRestartsCountTowardsMax: [0, 1],
      });
      await stage.jobStatus("driver-0", failed());
      await jobAttempt(stage, "driver-0", 1);
      const { metadata } = await stage.job("workers-0");
      const old = before.find(({ metadata }) => metadata.name === "train-workers-0");
      assert.equal(metadata.uid, old.metadata.uid);
      await stage.conditions();

      await stage.jobStatus("workers-0", failed());
      const reached =
        "jobset failed due to reaching max number of restarts (first failed job: train-workers-0)";
      const { status } = await stage.conditions(`Failed=True ReachedMaxRestarts: ${reached}`);
      assert.equal(status.restarts, 0);
      await stage.events(
        `Warning RestartJobFailurePolicyAction: ${applying("RestartJob", "workers-1")}`,
        `Warning RestartJobFailurePolicyAction: ${applying("RestartJob", "driver-0")}`,
        `Warning ReachedMaxRestarts: ${reached}`,
      );
    },
  },
  {
    name: "RestartJobAndIgnoreMaxRestarts does not count",
    gates,
    async play(stage) {
      const action = "RestartJobAndIgnoreMaxRestarts";
      await stage.create({ failurePolicy: policy(action, 0), replicatedJobs });
      await stage.jobs(...jobs);
      for (const attempt of [1, 2]) {
        await stage.jobStatus("workers-0", failed());
        await jobAttempt(stage, "workers-0", attempt);
      }
      await countRestarts(stage, "workers", {
        jobRestarts: [2, 0],
        jobRestartsCountTowardsMax: undefined,
      });
      await stage.conditions();
      await stage.jobStatuses(jobs, complete());
      await stage.conditions("Completed=True AllJobsCompleted: jobset completed successfully");
    },
  },
  {
    name: "JobSet restarts and Job restarts share maxRestarts, and each Job has its own count",
    gates,
    async play(stage) {
      await stage.create({
        failurePolicy: {
          maxRestarts: 2,
          rules: [{ name: "workers", action: "RestartJob", targetReplicatedJobs: ["workers"] }],
        },
        replicatedJobs,
      });
      await stage.jobStatus("workers-0", failed());
      await jobAttempt(stage, "workers-0", 1);
      await stage.jobStatus("driver-0", failed());
      const [, worker] = await stage.atAttempt(1, ...jobs);
      assert.equal(worker.metadata.labels[JOB_RESTART_ATTEMPT_KEY], "1");
      const { status } = await stage
        .jobStatus("driver-0", failed())
        .then(() => stage.condition("Failed"));
      assert.deepEqual([status.restarts, status.restartsCountTowardsMax], [1, 1]);
    },
  },
  {
    name: "two failed Jobs restart one after the other",
    gates,
    async play(stage) {
      await stage.create({ failurePolicy: policy("RestartJob"), replicatedJobs });
      await stage.jobStatuses(["workers-0", "workers-1"], failed());
      await jobAttempt(stage, "workers-0", 1);
      await jobAttempt(stage, "workers-1", 1);
      await countRestarts(stage, "workers", {
        jobRestarts: [1, 1],
        jobRestartsCountTowardsMax: [1, 1],
      });
      await stage.expectUnchanged(() => stage.jobNames(), jobs);
    },
  },
  {
    name: "the RestartJob gate is switched on, off and on while a JobSet runs",
    alone: true,
    async play(stage) {
      const failurePolicy = policy("RestartJob", 5);
      assert.equal(
        await stage.tryCreate({ failurePolicy, replicatedJobs }),
        deniedJobSet(
          "spec.failurePolicy.rules[0].action: Forbidden: RestartJob and RestartJobAndIgnoreMaxRestarts failure " +
            "policy actions are not allowed when RestartJob feature gate is disabled",
        ),
      );
      await stage.switchGates({ RestartJob: true });
      await stage.create({ failurePolicy, replicatedJobs });
      await stage.jobStatus("workers-0", failed());
      await jobAttempt(stage, "workers-0", 1);

      await stage.switchGates({ RestartJob: false });
      await countRestarts(stage, "workers", {
        jobRestarts: undefined,
        jobRestartsCountTowardsMax: undefined,
      });
      await stage.jobStatus("workers-1", failed());
      await stage.expectUnchanged(() => stage.jobNames(), jobs);
      await stage.conditions();

      await stage.switchGates({ RestartJob: true });
      await jobAttempt(stage, "workers-1", 1);
      await countRestarts(stage, "workers", {
        jobRestarts: [0, 1],
        jobRestartsCountTowardsMax: [0, 1],
      });
    },
  },
];
