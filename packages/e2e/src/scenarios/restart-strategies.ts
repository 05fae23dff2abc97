import assert from "node:assert/strict";
import { IN_PLACE_RESTART_ATTEMPT_KEY, RESTART_ATTEMPT_KEY } from "@jobset-ts/api/keys";
import { eventually, type Stored } from "../cluster.ts";
import { part, type Scenario } from "../scenario.ts";

export const recreation: readonly Scenario[] = ["Recreate", "BlockingRecreate"].map(
  (restartStrategy): Scenario => ({
    name: `${restartStrategy}: after a failure all Jobs are recreated`,
    events: [
      "Warning DefaultFailurePolicy",
      "Warning RestartJobSetFailurePolicyAction",
      "Normal JobsReady",
    ],
    async play(stage) {
      const jobs = ["driver-0", "workers-0", "workers-1"];
      const workers = part("workers", { replicas: 2, command: ["fail-before-attempt", "1"] });
      await stage.create({
        failurePolicy: { maxRestarts: 1, restartStrategy },
        replicatedJobs: [part("driver"), workers],
      });
      await stage.waitForCounts("workers", { ready: 2 });
      await stage.condition("RestartingJobSet", "False");
      for (const { metadata } of await stage.jobs(...jobs)) {
        assert.equal(metadata.labels[RESTART_ATTEMPT_KEY], "1");
      }
      const { status } = await stage.waitForCounts("driver", { ready: 1 });
      assert.equal(status.restarts, 1);
    },
  }),
);

export const inPlaceRestart: Scenario = {
  name: "InPlaceRestart: the containers restart together, and no Pod is recreated",
  gates: ["InPlaceRestart"],
  async play(stage) {
    const pods = 2;
    const job = { backoffLimit: 2147483647, podReplacementPolicy: "Failed" };
    await stage.create({
      failurePolicy: { maxRestarts: 3, restartStrategy: "InPlaceRestart" },
      replicatedJobs: [
        part("workers", {
          pods,
          command: ["run-with-agent"],
          job,
          podSpec: { restartPolicy: "OnFailure" },
        }),
      ],
    });
    await stage.jobSetWith("all agents release their workers", ({ status }) => {
      return status?.currentInPlaceRestartAttempt === 0;
    });
    const started = await eventually("exactly both Pods exist", async () => {
      const existing = await stage.pods();
      return existing.length === pods && existing;
    });
    const [first] = started;
    // The worker of one Pod fails. Its agent restarts and announces the next attempt.
    await eventually("an agent announces an attempt", async () => {
      await stage.cluster.patch(first, {
        metadata: { annotations: { [IN_PLACE_RESTART_ATTEMPT_KEY]: "1" } },
      });
      return true;
    });
    await stage.jobSetWith("all agents are at the next attempt", ({ status }) => {
      return (
        status?.previousInPlaceRestartAttempt === 0 && status.currentInPlaceRestartAttempt === 1
      );
    });
    const listUids = (all: readonly Stored[]) => all.map(({ metadata }) => metadata.uid).sort();
    assert.deepEqual(listUids(await stage.pods()), listUids(started));
  },
};
