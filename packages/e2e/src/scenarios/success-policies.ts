import assert from "node:assert/strict";
import { part, type Scenario } from "../scenario.ts";

const succeeds = ["succeed"];

export const successPolicies: readonly Scenario[] = [
  {
    name: "the JobSet completes when all Jobs have succeeded",
    events: ["Normal AllJobsCompleted"],
    async play(stage) {
      await stage.create({
        replicatedJobs: [
          part("driver", { command: succeeds }),
          part("workers", { replicas: 3, pods: 2, command: succeeds }),
        ],
      });
      const { status } = await stage.condition("Completed");
      assert.equal(status.terminalState, "Completed");
      await stage.waitForCounts("workers", { succeeded: 3 });
    },
  },
  {
    name: "the JobSet completes when any target has succeeded, and the other Jobs are deleted",
    events: ["Normal AllJobsCompleted"],
    async play(stage) {
      await stage.create({
        successPolicy: { operator: "Any", targetReplicatedJobs: ["driver"] },
        replicatedJobs: [part("driver", { command: succeeds }), part("workers", { replicas: 2 })],
      });
      await stage.condition("Completed");
      await stage.jobs("driver-0");
    },
  },
];
