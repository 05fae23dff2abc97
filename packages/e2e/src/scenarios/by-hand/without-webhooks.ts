import assert from "node:assert/strict";
import { type Cluster, eventually, type Stored } from "../../cluster.ts";
import { part, type Scenario } from "../../scenario.ts";
import { complete } from "./job-statuses.ts";
import { claimPolicy, createMountingJob } from "./volume-claims.ts";

const KINDS = ["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"];

/** Removes the webhooks. Returns a function that restores them. */
async function removeWebhooks(cluster: Cluster): Promise<() => Promise<void>> {
  const removed: Stored[] = [];
  for (const kind of KINDS) {
    for (const { metadata, webhooks } of await cluster.list(kind)) {
      const { name } = metadata;
      removed.push({
        apiVersion: "admissionregistration.k8s.io/v1",
        kind,
        metadata: { name },
        webhooks,
      });
      await cluster.delete(kind, "", name);
    }
  }
  return async () => {
    for (const configuration of removed) await cluster.create(configuration);
  };
}

export const withoutWebhooks: Scenario = {
  name: "a JobSet without defaults, created without webhooks, is reconciled",
  alone: true,
  async play(stage) {
    const bringBack = await removeWebhooks(stage.cluster);
    try {
      // The API server applies the new configuration with a delay.
      const { spec } = await eventually("a JobSet is stored as it was sent", async () => {
        const jobSet = await stage.create({
          volumeClaimPolicies: [claimPolicy()],
          replicatedJobs: [createMountingJob("workers"), part("driver")],
        });
        if (jobSet.spec.successPolicy === undefined) return jobSet;
        await stage.cluster.delete("JobSet", stage.namespace, "train");
        await stage.waitForValue(() => stage.jobSet(), undefined);
        return undefined;
      });
      assert.equal(spec.network, undefined);
      const jobs = await stage.jobs("workers-0", "driver-0");
      for (const job of jobs) {
        assert.equal(job.spec.completionMode, "NonIndexed");
        assert.equal(job.spec.template.spec.subdomain, undefined);
      }
      assert.deepEqual(await stage.cluster.list("Service", stage.namespace), []);
      const claim = await stage.cluster.get("PersistentVolumeClaim", stage.namespace, "data-train");
      assert.equal(claim?.metadata.ownerReferences, undefined);
      await stage.jobStatus("workers-0", complete());
      await stage.waitForCounts("workers", { succeeded: 1 });
      await stage.conditions();
      await stage.jobStatus("driver-0", complete());
      await stage.conditions("Completed=True AllJobsCompleted: jobset completed successfully");
    } finally {
      await bringBack();
    }
  },
};
