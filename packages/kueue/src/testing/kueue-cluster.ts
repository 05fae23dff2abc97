import type { JobSet } from "@jobset-ts/api";
import { type KueueCluster, type KueueContext, resolveKueueFeatureGates } from "../index.ts";
import type { KueueRequest } from "../reconcile/reconcile.ts";

/** Returns a namespace with queues, one of them for MultiKueue, and the classes and flavors that JobSets name. */
export function aCluster(): KueueCluster {
  const named = (name: string) => ({ metadata: { name } });
  return {
    namespaces: [named("default")],
    localQueues: ["default", "cpu", "gpu"].map((name) => ({
      metadata: { namespace: "default", name },
      spec: { clusterQueue: name === "gpu" ? "far" : "near" },
    })),
    clusterQueues: [
      { ...named("far"), spec: { admissionChecksStrategy: { admissionChecks: [{ name: "mk" }] } } },
      named("near"),
    ],
    admissionChecks: [{ ...named("mk"), spec: { controllerName: "kueue.x-k8s.io/multikueue" } }],
    workloadPriorityClasses: ["default", "high"].map((name) => ({ ...named(name), value: 1 })),
    resourceFlavors: [{ ...named("spot"), spec: { nodeLabels: { pool: "spot" } } }],
  };
}

export const aContext: KueueContext = {
  now: 1_770_447_379_000,
  config: { enabledFrameworks: ["jobset.x-k8s.io/jobset"] },
  features: resolveKueueFeatureGates(),
};

/** Returns a condition with a fixed transition time. */
export function aCondition(type: string, status: "True" | "False", reason: string) {
  return { type, status, reason, message: "", lastTransitionTime: "2026-02-07T06:56:19Z" };
}

/** Returns the request to reconcile the JobSet. */
export function requestFor(jobSet: JobSet): KueueRequest {
  return { namespace: "default", name: "train", jobSet };
}
