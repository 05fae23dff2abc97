import assert from "node:assert/strict";
import { JOBSET_UID_KEY } from "@jobset-ts/api/keys";
import { part, type Scenario, type Stage } from "../../scenario.ts";
import { failed } from "./job-statuses.ts";
import { createPod } from "./pods-by-hand.ts";

const jobs = ["driver-0", "workers-0", "workers-1"];

/** Restarts a JobSet while a Pod of the driver cannot be removed. Returns a function that lets the Pod be removed. */
async function restartWhileHeld(
  stage: Stage,
  restartStrategy: string,
): Promise<() => Promise<void>> {
  await stage.create({
    failurePolicy: { maxRestarts: 1, restartStrategy },
    replicatedJobs: [part("driver"), part("workers", { replicas: 2 })],
  });
  await stage.jobs(...jobs);
  const pod = await createPod(stage, "driver-0", 0, {
    metadata: { finalizers: ["batch.kubernetes.io/job-tracking"] },
  });
  await stage.jobStatus("workers-1", failed());
  return async () => {
    await stage.cluster.patch(pod, { metadata: { finalizers: null } });
  };
}

export const restarts: readonly Scenario[] = [
  {
    name: "Recreate: Jobs are deleted in the foreground, and each is recreated when it is gone",
    async play(stage) {
      const letGo = await restartWhileHeld(stage, "Recreate");
      await stage.atAttempt(1, "workers-0", "workers-1");
      const blockedJob = await stage.cluster.get("Job", stage.namespace, "train-driver-0");
      assert.deepEqual(blockedJob?.metadata.finalizers, ["foregroundDeletion"]);
      assert.ok(blockedJob.metadata.deletionTimestamp);
      await letGo();
      await stage.atAttempt(1, ...jobs);
      const { status } = await stage.jobSet();
      assert.deepEqual([status.restarts, status.restartsCountTowardsMax], [1, 1]);
    },
  },
  {
    name: "BlockingRecreate: no Job is recreated before all old ones are gone",
    async play(stage) {
      const letGo = await restartWhileHeld(stage, "BlockingRecreate");
      await stage.waitForValue(() => stage.jobNames(), ["driver-0"]);
      await stage.expectUnchanged(() => stage.jobNames(), ["driver-0"]);
      await letGo();
      await stage.atAttempt(1, ...jobs);
    },
  },
  {
    name: "recreated Jobs have the same owner and the same Pod template",
    async play(stage) {
      const jobSet = await stage.create({
        failurePolicy: { maxRestarts: 1 },
        replicatedJobs: [part("workers")],
      });
      const before = await stage.job("workers-0");
      await stage.jobStatus("workers-0", failed());
      const [after] = await stage.atAttempt(1, "workers-0");
      assert.notEqual(after.metadata.uid, before.metadata.uid);
      assert.equal(after.metadata.labels[JOBSET_UID_KEY], jobSet.metadata.uid);
      assert.deepEqual(after.metadata.ownerReferences, before.metadata.ownerReferences);
      assert.deepEqual(after.spec.template.spec, before.spec.template.spec);
    },
  },
  {
    name: "restarts that another client has counted are respected",
    async play(stage) {
      await stage.create({ replicatedJobs: [part("driver"), part("workers", { replicas: 2 })] });
      await stage.jobs(...jobs);
      await stage.cluster.patch(await stage.jobSet(), { status: { restarts: 2 } }, "status");
      await stage.atAttempt(2, ...jobs);
      await stage.conditions();
    },
  },
];
