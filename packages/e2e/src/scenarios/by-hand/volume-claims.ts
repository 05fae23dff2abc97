import assert from "node:assert/strict";
import { JOBSET_NAME_KEY } from "@jobset-ts/api/keys";
import { eventually, type Stored } from "../../cluster.ts";
import { part, type Scenario, type Stage } from "../../scenario.ts";
import { ready } from "./job-statuses.ts";
import { deniedJobSet } from "./messages.ts";

const CLAIM = "data-train";

/** Returns a PVC policy of a JobSet for the Pods that mount it. */
export function claimPolicy(whenDeleted?: string, name = "data", storage = "1Gi"): Stored {
  return {
    templates: [
      {
        metadata: { name, labels: { team: "a" }, annotations: { note: "b" } },
        spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage } } },
      },
    ],
    ...(whenDeleted !== undefined && { retentionPolicy: { whenDeleted } }),
  };
}

/** A ReplicatedJob whose Pods mount `data`. */
export const createMountingJob = (name: string) =>
  part(name, { podSpec: { container: { volumeMounts: [{ name: "data", mountPath: "/data" }] } } });

/** Waits until the PVC exists. */
function createClaim({ cluster, namespace }: Stage): Promise<Stored> {
  return eventually("the PVC exists", () => cluster.get("PersistentVolumeClaim", namespace, CLAIM));
}

function claims({ cluster, namespace }: Stage): () => Promise<readonly string[]> {
  return async () => {
    const found = await cluster.list("PersistentVolumeClaim", namespace);
    return found.map(({ metadata }) => metadata.name);
  };
}

export const volumeClaims: readonly Scenario[] = [
  {
    name: "PVCs that are deleted with the JobSet are owned by it and mounted by the Pods",
    async play(stage) {
      const { metadata, spec } = await stage.create({
        volumeClaimPolicies: [claimPolicy()],
        replicatedJobs: [createMountingJob("workers"), part("driver")],
      });
      assert.deepEqual(spec.volumeClaimPolicies[0].retentionPolicy, { whenDeleted: "Delete" });
      const claim = await createClaim(stage);
      assert.deepEqual(claim.metadata.labels, { team: "a", [JOBSET_NAME_KEY]: "train" });
      assert.deepEqual(claim.metadata.annotations, { note: "b" });
      assert.equal(claim.metadata.ownerReferences[0].uid, metadata.uid);
      assert.deepEqual(claim.spec.resources.requests, { storage: "1Gi" });
      const volumes = async (job: string) => (await stage.job(job)).spec.template.spec.volumes;
      assert.deepEqual(await volumes("workers-0"), [
        { name: "data", persistentVolumeClaim: { claimName: CLAIM } },
      ]);
      assert.equal(await volumes("driver-0"), undefined);

      await stage.cluster.delete("JobSet", stage.namespace, "train");
      await stage.waitForValue(claims(stage), []);
    },
  },
  {
    name: "retained PVCs outlive the JobSet, and the next JobSet with its name uses them",
    async play(stage) {
      const spec = {
        volumeClaimPolicies: [claimPolicy("Retain")],
        replicatedJobs: [createMountingJob("workers")],
      };
      await stage.create(spec);
      const { metadata } = await createClaim(stage);
      assert.equal(metadata.ownerReferences, undefined);
      await stage.job("workers-0");
      await stage.cluster.delete("JobSet", stage.namespace, "train");
      await stage.waitForValue(() => stage.jobNames(), []);
      await stage.expectUnchanged(claims(stage), [CLAIM]);
      await stage.create(spec);
      await stage.job("workers-0");
      assert.equal((await createClaim(stage)).metadata.uid, metadata.uid);
      await stage.events();
    },
  },
  {
    name: "a deleted PVC is recreated in the next pass",
    async play(stage) {
      await stage.create({
        volumeClaimPolicies: [claimPolicy("Retain")],
        replicatedJobs: [createMountingJob("workers")],
      });
      const before = await createClaim(stage);
      await stage.job("workers-0");
      await stage.cluster.delete("PersistentVolumeClaim", stage.namespace, CLAIM);
      await stage.waitForValue(claims(stage), []);
      await stage.jobStatus("workers-0", ready());
      const after = await createClaim(stage);
      assert.notEqual(after.metadata.uid, before.metadata.uid);
      assert.deepEqual(after.metadata.labels, before.metadata.labels);
    },
  },
  {
    name: "an existing PVC can only be used with the policy Retain",
    async play(stage) {
      const [{ spec }] = claimPolicy().templates;
      await stage.cluster.create({
        apiVersion: "v1",
        kind: "PersistentVolumeClaim",
        metadata: { name: CLAIM, namespace: stage.namespace },
        spec,
      });
      const tryPolicy = (policy: Stored) =>
        stage.tryCreate({
          volumeClaimPolicies: [policy],
          replicatedJobs: [createMountingJob("workers")],
        });
      assert.equal(
        await tryPolicy(claimPolicy("Delete")),
        deniedJobSet(
          'spec.volumeClaimPolicies[0].retentionPolicy.whenDeleted: Invalid value: "Delete": retentionPolicy must be retain when PVC exists',
        ),
      );
      assert.equal(
        await tryPolicy(claimPolicy("Retain", "data", "2Gi")),
        deniedJobSet(
          `spec.volumeClaimPolicies[0].template[0].spec: Invalid value: {"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"2Gi"}}}: spec does not match existing PVC ${CLAIM} in namespace ${stage.namespace}`,
        ),
      );
    },
  },
];
