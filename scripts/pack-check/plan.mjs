import { createContext, createSnapshot, reconcile } from "@jobset-ts/core";

const jobSet = {
  apiVersion: "jobset.x-k8s.io/v1alpha2",
  kind: "JobSet",
  metadata: { name: "train", namespace: "ml", uid: "u-1" },
  spec: { replicatedJobs: [{ name: "workers", replicas: 2, template: { spec: {} } }] },
};
const context = createContext({ now: "2026-11-21T12:00:00Z" });
const plan = reconcile(createSnapshot([jobSet], { kinds: "all" }), jobSet, context);
for (const { effects } of plan.steps)
  for (const { verb, target } of effects) console.log(verb, target.name);
