import {
  createJobSet,
  createPod,
  createService,
  listJobs,
  type Wire,
} from "../../../testing/a-diagnosed-cluster.ts";

/** Returns a JobSet with one Pod that the scheduler rejects for a reason, and more objects. */
export function clusterWith(reason: string, spec: Wire = {}, others: readonly Wire[] = []): Wire[] {
  const message = `0/2 nodes are available: ${reason}. preemption: 0/2 nodes are available.`;
  return clusterOf({ message }, spec, others);
}

/** Returns a JobSet with one Pod that is rejected with a message or has another status, and more objects. */
export function clusterOf(
  { message = "", status = {} }: Wire,
  spec: Wire,
  others: readonly Wire[],
) {
  const jobSet = createJobSet({ replicatedJobs: [{ name: "w", pods: 1 }] });
  const [job] = listJobs(jobSet);
  const unschedulable = { type: "PodScheduled", status: "False", reason: "Unschedulable", message };
  const conditions = message === "" ? [] : [unschedulable];
  const pod = createPod(job, 0, {
    spec: { containers: [{ name: "main" }], ...spec },
    status: { phase: "Pending", conditions, ...status },
  });
  return [jobSet, createService(jobSet), job, pod, ...others];
}

/** Creates a node. */
export function createNode(name: string, parts: Wire = {}, labels: Wire = {}): Wire {
  return { apiVersion: "v1", kind: "Node", metadata: { name, labels }, ...parts };
}

/** Creates an Event about the Pod, a minute old by default. */
export function createEvent(reason: string, message: string, seen = "2026-02-07T09:59:00Z"): Wire {
  return {
    apiVersion: "v1",
    kind: "Event",
    metadata: { name: `e-${reason}`, namespace: "ml" },
    involvedObject: { kind: "Pod", namespace: "ml", name: "js-w-0-0-abcde", uid: "uid-js-w-0-0" },
    reason,
    message,
    lastTimestamp: seen,
  };
}

/** The reason for which the scheduler rejects the Pod. */
export const rejected = "2 Insufficient nvidia.com/gpu";
