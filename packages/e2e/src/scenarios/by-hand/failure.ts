import assert from "node:assert/strict";
import type { Stored } from "../../cluster.ts";
import { part, type Scenario } from "../../scenario.ts";
import { complete, failed, ready } from "./job-statuses.ts";
import { applying } from "./messages.ts";

const driverAndWorkers = [part("driver"), part("workers", { replicas: 2 })];
const all = ["driver-0", "workers-0", "workers-1"];

export const failure: readonly Scenario[] = [
  {
    name: "without a failure policy, one failed Job fails the JobSet and active Jobs are deleted",
    async play(stage) {
      await stage.create({ replicatedJobs: driverAndWorkers });
      await stage.jobStatus("driver-0", complete());
      await stage.waitForCounts("driver", { succeeded: 1 });
      await stage.jobStatus("workers-1", failed());
      const message =
        "jobset failed due to one or more job failures (first failed job: train-workers-1)";
      const { status } = await stage.conditions(`Failed=True FailedJobs: ${message}`);
      assert.equal(status.terminalState, "Failed");
      await stage.waitForValue(() => stage.jobNames(), ["driver-0", "workers-1"]);
      await stage.events(`Warning FailedJobs: ${message}`);
      await stage.waitForCounts("workers", { failed: 1, active: 0 });
    },
  },
  {
    name: "a failed JobSet stays failed and recreates nothing",
    async play(stage) {
      await stage.create({ replicatedJobs: driverAndWorkers });
      await stage.jobs(...all);
      await stage.jobStatus("workers-0", failed());
      await stage.waitForValue(() => stage.jobNames(), ["workers-0"]);
      const { status } = await stage.condition("Failed");
      await stage.cluster.delete("Job", stage.namespace, "train-workers-0");
      await stage.waitForCounts("workers", { failed: 0 });
      await stage.expectUnchanged(() => stage.jobNames(), []);
      const after = await stage.jobSet();
      assert.deepEqual(after.status.conditions, status.conditions);
      assert.equal(after.status.terminalState, "Failed");
    },
  },
  {
    name: "a failure without a time counts as a failure",
    async play(stage) {
      await stage.create({ replicatedJobs: [part("workers")] });
      const { conditions, ...status } = failed();
      const timeless = conditions.map((one: Stored) => ({ ...one, lastTransitionTime: null }));
      await stage.jobStatus("workers-0", { ...status, conditions: timeless });
      await stage.conditions(
        "Failed=True FailedJobs: jobset failed due to one or more job failures (first failed job: train-workers-0)",
      );
    },
  },
  {
    name: "the JobSet restarts up to maxRestarts times, then fails",
    async play(stage) {
      await stage.create({ failurePolicy: { maxRestarts: 1 }, replicatedJobs: driverAndWorkers });
      await stage.jobs(...all);
      await stage.jobStatus("workers-0", failed());
      const restarting = applying("RestartJobSet", "workers-0");
      await stage.conditions(`RestartingJobSet=True DefaultFailurePolicy: ${restarting}`);
      await stage.atAttempt(1, ...all);
      await stage.jobStatuses(all, ready());
      await stage.conditions("RestartingJobSet=False JobsReady: all jobs are ready");

      await stage.jobStatus("driver-0", failed());
      const reached =
        "jobset failed due to reaching max number of restarts (first failed job: train-driver-0)";
      const { status } = await stage.conditions(
        "RestartingJobSet=False JobSetFailed: jobset failed",
        `Failed=True ReachedMaxRestarts: ${reached}`,
      );
      assert.deepEqual([status.restarts, status.restartsCountTowardsMax], [1, 1]);
      await stage.events(
        `Warning DefaultFailurePolicy: ${restarting}`,
        `Warning RestartJobSetFailurePolicyAction: ${restarting}`,
        "Normal JobsReady: all jobs are ready",
        `Warning ReachedMaxRestarts: ${reached}`,
        "Normal JobSetFailed: jobset failed",
      );
      await stage.waitForValue(() => stage.jobNames(), ["driver-0"]);
    },
  },
  {
    name: "a restarted JobSet can complete",
    async play(stage) {
      await stage.create({ failurePolicy: { maxRestarts: 2 }, replicatedJobs: [part("workers")] });
      for (const attempt of [1, 2]) {
        await stage.jobStatus("workers-0", failed());
        await stage.atAttempt(attempt, "workers-0");
      }
      await stage.jobStatus("workers-0", complete());
      const { status } = await stage.conditions(
        "RestartingJobSet=False JobSetCompleted: jobset completed successfully",
        "Completed=True AllJobsCompleted: jobset completed successfully",
      );
      assert.deepEqual([status.restarts, status.restartsCountTowardsMax], [2, 2]);
    },
  },
];
