import assert from "node:assert/strict";
import type { Stored } from "../../cluster.ts";
import { part, type Scenario, type Stage } from "../../scenario.ts";
import { complete, failed } from "./job-statuses.ts";

const completed = "Completed=True AllJobsCompleted: jobset completed successfully";

/** Waits until the JobSet and all objects that it owns are deleted. */
async function isGone(stage: Stage): Promise<void> {
  await stage.waitForValue(() => stage.jobSet(), undefined);
  await stage.waitForValue(() => stage.jobNames(), []);
  await stage.waitForValue(() => stage.cluster.get("Service", stage.namespace, "train"), undefined);
}

function getFinishedAt({ status }: Stored): number {
  return Date.parse(status.conditions[0].lastTransitionTime);
}

export const timeToLive: readonly Scenario[] = [
  {
    name: "TTL 0: a finished JobSet is deleted at once",
    async play(stage) {
      await stage.create({ ttlSecondsAfterFinished: 0, replicatedJobs: [part("workers")] });
      await stage.jobStatus("workers-0", complete());
      await isGone(stage);
    },
  },
  {
    name: "TTL: a failed JobSet is deleted when its TTL expires, and not before",
    async play(stage) {
      await stage.create({ ttlSecondsAfterFinished: 3, replicatedJobs: [part("workers")] });
      await stage.jobStatus("workers-0", failed());
      const finishedAt = getFinishedAt(await stage.condition("Failed"));
      await isGone(stage);
      const seconds = (Date.now() - finishedAt) / 1_000;
      assert.ok(seconds >= 3, `deleted after ${seconds} s`);
    },
  },
  {
    name: "TTL that is set after the JobSet has finished",
    async play(stage) {
      await stage.create({ replicatedJobs: [part("workers")] });
      await stage.jobStatus("workers-0", complete());
      await stage.conditions(completed);
      await stage.edit({ ttlSecondsAfterFinished: 1 });
      await isGone(stage);
    },
  },
  {
    name: "TTL that is shortened after the JobSet has finished",
    async play(stage) {
      await stage.create({ ttlSecondsAfterFinished: 3_600, replicatedJobs: [part("workers")] });
      await stage.jobStatus("workers-0", complete());
      await stage.conditions(completed);
      await stage.expectUnchanged(
        async () => (await stage.jobSet())?.metadata.deletionTimestamp,
        undefined,
      );
      await stage.edit({ ttlSecondsAfterFinished: 0 });
      await isGone(stage);
    },
  },
  {
    name: "TTL that is extended in time: the JobSet exists after the first TTL",
    async play(stage) {
      // On a busy machine, the edit may arrive late.
      const ttlSecondsAfterFinished = 30;
      await stage.create({ ttlSecondsAfterFinished, replicatedJobs: [part("workers")] });
      await stage.jobStatus("workers-0", complete());
      const finishedAt = getFinishedAt(await stage.conditions(completed));
      await stage.edit({ ttlSecondsAfterFinished: 3_600 });
      while (Date.now() < finishedAt + ttlSecondsAfterFinished * 1_000) {
        await stage.expectUnchanged(() => stage.jobNames(), ["workers-0"]);
      }
      await stage.expectUnchanged(() => stage.jobNames(), ["workers-0"]);
      assert.equal((await stage.jobSet()).metadata.deletionTimestamp, undefined);
    },
  },
];
