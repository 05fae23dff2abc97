import {
  createJobSet,
  createService,
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
