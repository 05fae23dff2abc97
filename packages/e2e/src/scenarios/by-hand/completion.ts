import assert from "node:assert/strict";
import { part, type Scenario } from "../../scenario.ts";
import { complete, failed, ready } from "./job-statuses.ts";

const completed = "Completed=True AllJobsCompleted: jobset completed successfully";
const completedEvent = "Normal AllJobsCompleted: jobset completed successfully";

export const completion: readonly Scenario[] = [
  {
    name: "a JobSet completes when all Jobs have completed, and not before",
    async play(stage) {
      await stage.create({ replicatedJobs: [part("driver"), part("workers", { replicas: 2 })] });
      await stage.jobStatuses(["driver-0", "workers-0"], complete());
      await stage.waitForCounts("driver", { succeeded: 1 });
      await stage.waitForCounts("workers", { succeeded: 1 });
      await stage.expectUnchanged(() => stage.jobNames(), ["driver-0", "workers-0", "workers-1"]);
      await stage.conditions();

      await stage.jobStatus("workers-1", complete());
      const { status } = await stage.conditions(completed);
      await stage.events(completedEvent);
      assert.equal(status.terminalState, "Completed");
      assert.equal(status.restarts, 0);
    },
  },
  {
    name: "success policy All: only the targets must succeed",
    async play(stage) {
      await stage.create({
        successPolicy: { operator: "All", targetReplicatedJobs: ["workers"] },
        replicatedJobs: [part("driver"), part("workers", { replicas: 2 })],
      });
      await stage.jobStatuses(["driver-0", "workers-0"], complete());
      await stage.waitForCounts("workers", { succeeded: 1 });
      await stage.conditions();
      await stage.jobStatus("workers-1", complete());
      await stage.conditions(completed);
      await stage.events(completedEvent);
    },
  },
  {
    name: "success policy Any: only the targets count, and the other active Jobs are deleted",
    async play(stage) {
      await stage.create({
        successPolicy: { operator: "Any", targetReplicatedJobs: ["workers"] },
        replicatedJobs: [part("driver", { replicas: 2 }), part("workers", { replicas: 2 })],
      });
      await stage.jobStatus("driver-0", complete());
      await stage.waitForCounts("driver", { succeeded: 1 });
      await stage.conditions();
      await stage.jobStatus("workers-1", complete());
      await stage.conditions(completed);
      await stage.waitForValue(() => stage.jobNames(), ["driver-0", "workers-1"]);
      await stage.events(completedEvent);
    },
  },
  {
    name: "success policy Any without targets: one Job is enough",
    async play(stage) {
      await stage.create({
        successPolicy: { operator: "Any" },
        replicatedJobs: [part("driver"), part("workers", { replicas: 2 })],
      });
      await stage.jobStatus("workers-0", complete());
      await stage.conditions(completed);
      await stage.waitForValue(() => stage.jobNames(), ["workers-0"]);
      await stage.waitForCounts("workers", { succeeded: 1, active: 0 });
    },
  },
  {
    name: "a failed Job takes precedence over succeeded Jobs",
    async play(stage) {
      await stage.create({
        successPolicy: { operator: "Any" },
        replicatedJobs: [part("workers", { replicas: 2 })],
      });
      await stage.jobs("workers-0", "workers-1");
      await stage.jobStatus("workers-0", failed());
      await stage.conditions(
        "Failed=True FailedJobs: jobset failed due to one or more job failures (first failed job: train-workers-0)",
      );
      await stage.waitForValue(() => stage.jobNames(), ["workers-0"]);
    },
  },
  {
    name: "a completed JobSet stays completed, whatever happens to its Jobs",
    async play(stage) {
      await stage.create({
        successPolicy: { operator: "Any", targetReplicatedJobs: ["driver"] },
        replicatedJobs: [part("driver"), part("workers")],
      });
      await stage.jobStatus("workers-0", ready());
      await stage.waitForCounts("workers", { ready: 1 });
      await stage.jobStatus("driver-0", complete());
      await stage.conditions(completed);
      await stage.waitForValue(() => stage.jobNames(), ["driver-0"]);
      await stage.cluster.delete("Job", stage.namespace, "train-driver-0");
      await stage.waitForValue(() => stage.jobNames(), []);
      await stage.waitForCounts("driver", { succeeded: 0 });
      await stage.conditions(completed);
      await stage.expectUnchanged(() => stage.jobNames(), []);
      await stage.events(completedEvent);
    },
  },
];
