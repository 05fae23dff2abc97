import { expect } from "vitest";
import {
  createJobSet,
  createService,
  diagnoseCluster,
  type JobSetParts,
  listJobs,
  type Wire,
} from "../../../testing/a-diagnosed-cluster.ts";

/** Creates a suspended JobSet `ml/js` in queue `team`, with its Service and Jobs. */
export function queuedCluster(parts: JobSetParts = {}): Wire[] {
  const labels = { "kueue.x-k8s.io/queue-name": "team" };
  const jobSet = createJobSet({ spec: { suspend: true }, labels, ...parts });
  return [jobSet, createService(jobSet), ...listJobs(jobSet)];
}

/** Creates the Workload of `ml/js` or of another owner. */
export function aWorkload(
  status: Wire,
  {
    owner = "uid-js",
    version = "v1beta2",
    spec = {},
  }: { owner?: string; version?: string; spec?: Wire } = {},
): Wire {
  return {
    apiVersion: `kueue.x-k8s.io/${version}`,
    kind: "Workload",
    metadata: {
      name: "jobset-js-1a2b3",
      namespace: "ml",
      uid: "uid-workload",
      creationTimestamp: "2026-02-07T09:00:00Z",
      ownerReferences: [{ uid: owner, controller: true }],
    },
    spec: { active: true, queueName: "team", ...spec },
    status,
  };
}

/** Creates an object of Kueue in namespace `ml`, or a cluster-scoped one. */
export function anObject(kind: string, name: string, parts: Wire): Wire {
  const { namespace = "namespace" in parts ? undefined : "ml", ...rest } = parts;
  const metadata = { name, ...(namespace !== undefined && { namespace }) };
  return { apiVersion: "kueue.x-k8s.io/v1beta2", kind, metadata, ...rest };
}

/** Creates a condition that is one hour old. */
export function condition(type: string, status: string, reason: string, message: string): Wire {
  return { type, status, reason, message, lastTransitionTime: "2026-02-07T09:00:00Z" };
}

/** A message of Kueue about missing quota. */
export const quota = "insufficient unused quota for example.com/gpu in flavor h100, 2 more needed";

/** Creates the condition of a Workload without quota. */
export function pending(message: string, reason = "Pending"): Wire {
  return condition("QuotaReserved", "False", reason, message);
}

/** The condition of a Workload with quota. */
export const reserved = condition("QuotaReserved", "True", "QuotaReserved", "Quota reserved");

/** Diagnoses the queued JobSet beside other objects, and returns the only root, its advice and the status of the JobSet. */
export function firstRoot(...objects: Wire[]): Wire {
  const { status, roots, symptoms } = diagnoseCluster([...queuedCluster(), ...objects]);
  expect(roots).toHaveLength(1);
  expect(symptoms[0]).toMatchObject({ id: "queued", causedBy: [roots[0]?.id] });
  return { ...roots[0], jobSetStatus: status, advice: roots[0]?.texts?.advice?.join("\n") };
}

/** The LocalQueue `ml/team`, which uses the ClusterQueue `cq`. */
export const localQueue = anObject("LocalQueue", "team", {
  spec: { clusterQueue: "cq", stopPolicy: "None" },
});

/** Creates the ClusterQueue `cq`, which is active by default. */
export function aClusterQueue(spec: Wire, active?: Wire): Wire {
  const conditions = [active ?? condition("Active", "True", "Ready", "Can admit new workloads")];
  return anObject("ClusterQueue", "cq", { namespace: undefined, spec, status: { conditions } });
}
