import {
  getSubdomain,
  type JobSet,
  jobName,
  namespacedJobValue,
  type ToCreate,
  type Unvalidated,
  volumeClaimName,
} from "@jobset-ts/api";
import { NAMESPACED_JOB_KEY } from "@jobset-ts/api/keys";
import type {
  Job,
  JobSpec,
  ObjectMeta,
  OwnerReference,
  PodSpec,
  Volume,
} from "@jobset-ts/api/kubernetes";
import { frozenCopy } from "../frozen-copy.ts";
import {
  asArray,
  asRecord,
  asString,
  getName,
  getNamespace,
  isSuspended,
} from "../jobset-members.ts";
import { createOwnerReference } from "../owner.ts";
import { type ChildKeys, createChildLabels, type DesiredContext } from "./child-labels.ts";
import { hasDnsHostnames } from "./desired-service.ts";
import {
  isPlacedByNodeLabels,
  noScheduleToleration,
  placementAnnotations,
} from "./exclusive-placement.ts";
import { executionAnnotations } from "./execution-attempts.ts";
import { type IndexedReplicatedJob, indexedReplicatedJobs, jobCount } from "./job-indexes.ts";
import { MAX_DESIRED_JOBS } from "./size-limits.ts";

/**
 * Returns the Jobs of a JobSet in its current restart attempt, whether or not they exist: in spec order, then by job
 * index. Startup order, dependencies and pending deletions do not matter here.
 *
 * All Jobs of a ReplicatedJob share one frozen Pod spec. A Job without its own labels and annotations shares one frozen
 * map in all four places. So replace what you want to change instead of assigning to it.
 *
 * @returns no Jobs if the JobSet requests more than {@link MAX_DESIRED_JOBS}: see `jobCount` and `findSizeExcess`
 */
export function desiredJobs(jobSet: Unvalidated<JobSet>, context: DesiredContext): ToCreate<Job>[] {
  const jobs: ToCreate<Job>[] = [];
  if (jobCount(jobSet) > MAX_DESIRED_JOBS) return jobs;
  for (const { replicas, jobAt } of createJobFactories(jobSet, context)) {
    for (let jobIndex = 0; jobIndex < replicas; jobIndex++) jobs.push(jobAt(jobIndex));
  }
  return jobs;
}

/** Builds the Jobs of one ReplicatedJob, one by one. */
export interface JobFactory extends IndexedReplicatedJob {
  /** Returns the Job with an index from 0 to `replicas` − 1. */
  readonly jobAt: (jobIndex: number) => ToCreate<Job>;
}

/**
 * Returns one factory for each ReplicatedJob, in spec order. The common part of its Jobs is built once, on first use.
 */
export function createJobFactories(
  jobSet: Unvalidated<JobSet>,
  context: DesiredContext,
): readonly JobFactory[] {
  let shared: SharedByAllJobs | undefined;
  return indexedReplicatedJobs(jobSet).map((indexed) => {
    let jobAt: JobFactory["jobAt"] | undefined;
    return {
      jobAt: (jobIndex) => {
        shared ??= sharedByAllJobs(jobSet, context);
        jobAt ??= jobConstructor(jobSet, indexed, shared);
        return jobAt(jobIndex);
      },
      ...indexed,
    };
  });
}

/** The common parts of all Jobs of a JobSet. */
interface SharedByAllJobs {
  readonly createKeys: ReturnType<typeof createChildLabels>;
  readonly ownerReferences: OwnerReference[];
  /** The annotations with the execution attempt of the Jobs. */
  readonly execution: Readonly<Record<string, string>>;
}

function sharedByAllJobs(jobSet: Unvalidated<JobSet>, context: DesiredContext): SharedByAllJobs {
  const ownerReferences = Object.freeze([Object.freeze(createOwnerReference(jobSet))]);
  return {
    createKeys: createChildLabels(jobSet, context),
    ownerReferences: ownerReferences as OwnerReference[],
    execution: executionAnnotations(jobSet, context),
  };
}

function jobConstructor(
  jobSet: Unvalidated<JobSet>,
  indexed: IndexedReplicatedJob,
  { createKeys: keysOf, ownerReferences, execution }: SharedByAllJobs,
): (jobIndex: number) => ToCreate<Job> {
  const { replicatedJob, name } = indexed;
  const keysAt = keysOf(indexed);
  const namespace = getNamespace(jobSet);
  const jobSetName = getName(jobSet);
  const annotations = { ...placementAnnotations(jobSet, replicatedJob), ...execution };
  const jobMeta = pickKeptMetadata(replicatedJob.template?.metadata, annotations);
  const jobSpec = replicatedJob.template?.spec;
  const podTemplate = jobSpec?.template;
  const podMeta = pickKeptMetadata(podTemplate?.metadata, annotations);
  const nodeSelector = isPlacedByNodeLabels(jobSet, replicatedJob);

  // The common part of all Jobs, frozen because they share it. Each Job gets a shallow copy that already has the
  // members that differ. V8 copies such objects five times as fast.
  const sharedSpec: Omit<JobSpec, "template"> = {
    ...frozenCopy<JobSpec>({
      ...asRecord(jobSpec),
      suspend: isSuspended(jobSet),
      template: undefined,
    }),
    template: undefined,
  };
  const sharedPodSpec = frozenCopy<PodSpec>(getPodSpec(jobSet, podTemplate?.spec, nodeSelector));
  const sharedPodMeta: ToCreate<ObjectMeta> = {
    ...frozenCopy<ToCreate<ObjectMeta>>(asRecord(podTemplate?.metadata)),
    labels: undefined,
    annotations: undefined,
  };
  const jobLabels = mergeKeys(jobMeta.labels);
  const jobAnnotations = mergeKeys(jobMeta.annotations);
  const podLabels = mergeKeys(podMeta.labels);
  const podAnnotations = mergeKeys(podMeta.annotations);

  return (jobIndex) => {
    const job = jobName(jobSetName, name, jobIndex);
    const keys = Object.freeze(keysAt(jobIndex, job));
    return {
      apiVersion: "batch/v1",
      kind: "Job",
      metadata: {
        name: job,
        namespace,
        labels: jobLabels(keys),
        annotations: jobAnnotations(keys),
        ownerReferences,
      },
      spec: {
        ...sharedSpec,
        template: {
          metadata: {
            ...sharedPodMeta,
            labels: podLabels(keys),
            annotations: podAnnotations(keys),
          },
          spec: nodeSelector
            ? withNodeSelector(sharedPodSpec, namespacedJobValue(namespace, job))
            : sharedPodSpec,
        },
      },
    };
  };
}

/** Returns the user's labels and annotations, the latter with those that JobSet adds; absent when empty. */
function pickKeptMetadata(
  metadata: Unvalidated<ObjectMeta> | undefined,
  added: Readonly<Record<string, string>>,
): Pick<ObjectMeta, "labels" | "annotations"> {
  const labels = { ...asRecord(metadata?.labels) };
  const annotations = { ...asRecord(metadata?.annotations), ...added };
  return {
    ...(Object.keys(labels).length > 0 && { labels }),
    ...(Object.keys(annotations).length > 0 && { annotations }),
  };
}

/** Returns JobSet's keys merged over the user's, or the same keys if the user has none. */
function mergeKeys(own: Record<string, string> | undefined): (keys: ChildKeys) => ChildKeys {
  if (own === undefined) return (keys) => keys;
  let first: ChildKeys | undefined;
  return (keys) => {
    // Overwriting existing keys is faster than adding them. A second spread would give each object its own hidden
    // class, which is ten times as slow in V8.
    first ??= Object.hasOwn(own, "__proto__") ? { ...own, ...keys } : Object.assign({}, own, keys);
    return Object.assign({ ...first }, keys);
  };
}

function withNodeSelector(spec: PodSpec, job: string): PodSpec {
  return { ...spec, nodeSelector: { ...asRecord(spec.nodeSelector), [NAMESPACED_JOB_KEY]: job } };
}

/** Returns the Pod spec of the template with JobSet's additions for all Jobs. */
function getPodSpec(
  jobSet: Unvalidated<JobSet>,
  template: Unvalidated<PodSpec> | undefined,
  nodeSelector: boolean,
): Unvalidated<PodSpec> {
  const volumes = claimVolumes(jobSet, template);
  return {
    ...asRecord(template),
    ...(hasDnsHostnames(jobSet) && { subdomain: getSubdomain(jobSet) }),
    ...(nodeSelector && { tolerations: [...asArray(template?.tolerations), noScheduleToleration] }),
    ...(volumes.length > 0 && { volumes: [...asArray(template?.volumes), ...volumes] }),
  };
}

/** Returns one volume for each claim that a container or init container mounts by the name of the claim template. */
function claimVolumes(
  jobSet: Unvalidated<JobSet>,
  template: Unvalidated<PodSpec> | undefined,
): readonly Volume[] {
  const mounted = new Set<unknown>();
  for (const container of [
    ...asArray(template?.containers),
    ...asArray(template?.initContainers),
  ]) {
    for (const mount of asArray(container?.volumeMounts)) mounted.add(mount?.name);
  }
  return asArray(jobSet?.spec?.volumeClaimPolicies)
    .flatMap((policy) => asArray(policy?.templates))
    .map((claim) => asString(claim?.metadata?.name))
    .filter((name) => mounted.has(name))
    .map((name) => {
      const claimName = volumeClaimName(name, getName(jobSet));
      return { name, persistentVolumeClaim: { claimName } };
    });
}
