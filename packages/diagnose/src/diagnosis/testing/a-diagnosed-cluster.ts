import type { JobSet, Unvalidated } from "@jobset-ts/api";
import {
  EXCLUSIVE_TOPOLOGY_KEY,
  JOB_COMPLETION_INDEX_KEY,
  JOB_KEY_KEY,
  PRIORITY_KEY,
} from "@jobset-ts/api/keys";
import { createContext, createSnapshot, type Snapshot } from "@jobset-ts/core";
import { desiredJobs, jobKey } from "@jobset-ts/core/desired";
import { allChecks, allKinds } from "../../all.ts";
import { type Diagnosis, diagnose } from "../engine/diagnose.ts";

/** The time of every snapshot here. Objects are a few minutes old by default. */
export const now = "2026-02-07T10:00:00Z";
const before = "2026-02-07T09:55:00Z";

/** An unvalidated object. Tests set its members directly. */
// biome-ignore lint/suspicious/noExplicitAny: what is built here is not checked, as nothing in a cluster is
export type Wire = any;

/** The parts of a JobSet `ml/js`. */
export interface JobSetParts {
  readonly name?: string;
  readonly exclusive?: boolean;
  readonly spec?: Wire;
  readonly labels?: Record<string, string>;
  readonly status?: Wire;
  readonly replicatedJobs?: readonly ReplicatedJobParts[];
  readonly createdAt?: string;
}

export interface ReplicatedJobParts {
  readonly name: string;
  readonly replicas?: number;
  readonly pods?: number;
  readonly dependsOn?: Wire;
  readonly spec?: Wire;
}

/** Creates a JobSet `ml/js`. By default its ReplicatedJob `w` has one Job with 4 Pods. */
export function createJobSet(parts: JobSetParts = {}): Wire {
  const { name = "js", exclusive = false, replicatedJobs = [{ name: "w" }] } = parts;
  const annotations = exclusive ? { [EXCLUSIVE_TOPOLOGY_KEY]: "rack" } : {};
  return {
    apiVersion: "jobset.x-k8s.io/v1alpha2",
    kind: "JobSet",
    metadata: {
      name,
      namespace: "ml",
      uid: `uid-${name}`,
      creationTimestamp: parts.createdAt ?? before,
      annotations,
      labels: parts.labels ?? {},
    },
    spec: {
      network: { enableDNSHostnames: true },
      replicatedJobs: replicatedJobs.map(
        ({ name: of, replicas = 1, pods = 4, dependsOn, spec }) => ({
          name: of,
          replicas,
          ...(dependsOn !== undefined && { dependsOn }),
          template: {
            spec: {
              parallelism: pods,
              completions: pods,
              completionMode: "Indexed",
              template: { spec: { containers: [{ name: "main" }] } },
              ...spec,
            },
          },
        }),
      ),
      ...parts.spec,
    },
    status: parts.status ?? {
      restarts: 0,
      conditions: [{ type: "StartupPolicyInProgress", status: "False" }],
    },
  };
}

/** Returns the Jobs of a JobSet with changes, as the API server and the Job controller store them. */
export function listJobs(jobSet: Wire, change: (job: Wire) => Wire = (job) => job): Wire[] {
  const context = createContext({ now });
  return desiredJobs(jobSet as Unvalidated<JobSet>, context as never).map((job: Wire) =>
    change({
      ...job,
      metadata: { ...job.metadata, uid: `uid-${job.metadata.name}`, creationTimestamp: before },
    }),
  );
}

/** Creates a Pod of a Job. By default it is Running and Ready on node `n1`. */
export function createPod(
  job: Wire,
  index: number,
  parts: { spec?: Wire; status?: Wire; metadata?: Wire } = {},
): Wire {
  const { template, completionMode } = job.spec;
  const { name, namespace, uid } = job.metadata;
  const indexed = completionMode === "Indexed" ? { [JOB_COMPLETION_INDEX_KEY]: `${index}` } : {};
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name: `${name}-${index}-abcde`,
      namespace,
      uid: `uid-${name}-${index}`,
      creationTimestamp: before,
      labels: { ...template.metadata.labels, [PRIORITY_KEY]: "0" },
      annotations: { ...template.metadata.annotations, ...indexed },
      ownerReferences: [{ apiVersion: "batch/v1", kind: "Job", name, uid, controller: true }],
      ...parts.metadata,
    },
    spec: parts.spec ?? { nodeName: "n1", containers: [{ name: "main" }] },
    status: parts.status ?? running,
  };
}

/** The status of a healthy Pod. */
export const running = {
  phase: "Running",
  conditions: [
    { type: "Ready", status: "True" },
    { type: "PodScheduled", status: "True", lastTransitionTime: before },
  ],
};

/** Creates the status of a Pod that no node accepts. */
export function unschedulable(message: string): Wire {
  const reason = "Unschedulable";
  const conditions = [{ type: "PodScheduled", status: "False", reason, message }];
  return { spec: { containers: [] }, status: { phase: "Pending", conditions } };
}

/** Creates a ready node in a rack. */
export function aNodeIn(rack: string | undefined, name = "n1", ready = "True"): Wire {
  const labels = rack === undefined ? {} : { rack };
  const conditions = [{ type: "Ready", status: ready }];
  const metadata = { name, labels, creationTimestamp: before };
  return { apiVersion: "v1", kind: "Node", metadata, spec: {}, status: { conditions } };
}

/** Creates the headless Service of a JobSet. */
export function createService(jobSet: Wire): Wire {
  const { name, namespace } = jobSet.metadata;
  const selector = { "jobset.sigs.k8s.io/jobset-name": name };
  const metadata = { name, namespace };
  return { apiVersion: "v1", kind: "Service", metadata, spec: { clusterIP: "None", selector } };
}

let events = 0;

/** Creates an Event about an object, seen five minutes ago by default. */
export function anEvent(about: Wire, reason: string, message: string, seen = before): Wire {
  events += 1;
  const { kind, metadata } = about;
  const involvedObject = { kind, ...metadata, labels: undefined, annotations: undefined };
  return {
    apiVersion: "v1",
    kind: "Event",
    metadata: { name: `event-${String(events).padStart(4, "0")}`, namespace: metadata.namespace },
    involvedObject,
    reason,
    message,
    type: "Warning",
    lastTimestamp: seen,
  };
}

/** Creates the message with which admission denies a follower. */
export function denial(words: string): string {
  return `Error creating: admission webhook "vpod.kb.io" denied the request: ${words}`;
}

/** The denial for a missing selector, which is never the root cause. */
export const SELECTOR_NOT_SET = "follower pod node selector not set";

/** Creates a Pod of another Job with the same priority, on a node. */
export function podOnNode(nodeName: string, priority = "0"): Wire {
  const labels = { [JOB_KEY_KEY]: jobKey("old", `tenant-${nodeName}`), [PRIORITY_KEY]: priority };
  const metadata = { name: `tenant-${nodeName}`, namespace: "old", labels };
  return { apiVersion: "v1", kind: "Pod", metadata, spec: { nodeName }, status: running };
}

/** Creates a snapshot of all kinds except some. */
export function snapshotWithout(kinds: readonly string[], objects: readonly Wire[]): Snapshot {
  const remaining = objects.filter(({ kind }) => !kinds.includes(kind));
  return createSnapshot(remaining, { kinds: allKinds.filter((kind) => !kinds.includes(kind)) });
}

/** Diagnoses JobSet `ml/js` in a cluster in which all kinds except some were read. */
export function diagnoseCluster(
  objects: readonly Wire[],
  without: readonly string[] = [],
): Diagnosis {
  const snapshot = snapshotWithout(without, objects);
  const options = { now: createContext({ now }).now, checks: allChecks };
  return diagnose(snapshot, snapshot.jobSet("ml", "js") ?? {}, options);
}

/** Returns the IDs of roots in order. */
export function rootIds({ roots }: Diagnosis): readonly string[] {
  return roots.map(({ id }) => id);
}

/** Creates an exclusive JobSet with this leader, and three followers that were denied with a message. */
export function exclusiveCluster({
  leader,
  words = SELECTOR_NOT_SET,
  nodes = [aNodeIn("r1")],
  followers = [],
  others = [],
  parts = {},
}: {
  readonly leader?: { spec?: Wire; status?: Wire; metadata?: Wire };
  readonly words?: string | undefined;
  readonly nodes?: readonly Wire[];
  readonly followers?: readonly number[];
  readonly others?: readonly Wire[];
  readonly parts?: JobSetParts;
}): Wire[] {
  const jobSet = createJobSet({ exclusive: true, ...parts });
  const jobs = listJobs(jobSet);
  const [job] = jobs;
  return [
    jobSet,
    createService(jobSet),
    ...jobs,
    ...(leader === undefined ? [] : [createPod(job, 0, leader)]),
    ...followers.map((index) => createPod(job, index)),
    ...nodes,
    ...(words === undefined ? [] : [anEvent(job, "FailedCreate", denial(words))]),
    ...others,
  ];
}

/** The metadata of a Pod that is a minute old. */
export const aMinuteOld = { creationTimestamp: "2026-02-07T09:59:00Z" };

/** The parts of a Pod that the scheduler has not tried. */
export const untriedPod = { spec: { containers: [] }, status: { phase: "Pending" } };

/** Returns a changed JobSet whose Pods all run. */
export function runningCluster({
  parts = {},
  job: change,
  pods = (job: Wire) => [0, 1, 2, 3].map((index) => createPod(job, index)),
  others = () => [],
}: {
  readonly parts?: JobSetParts;
  readonly job?: (job: Wire) => Wire;
  readonly pods?: (job: Wire) => Wire[];
  readonly others?: (job: Wire, jobSet: Wire) => Wire[];
}) {
  const jobSet = createJobSet(parts);
  const jobs = listJobs(jobSet, change);
  const [first] = jobs;
  return [
    jobSet,
    createService(jobSet),
    aNodeIn("r1"),
    ...jobs,
    ...pods(first),
    ...others(first, jobSet),
  ];
}
