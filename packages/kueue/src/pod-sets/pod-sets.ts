import {
  getReplicas,
  getReplicatedJobs,
  type JobSet,
  type ReplicatedJob,
  type Unvalidated,
} from "@jobset-ts/api";
import {
  asArray,
  asString,
  type Container,
  isObject,
  type PodTemplateSpec,
} from "@jobset-ts/api/kubernetes";
import type { KueueFeatureGates } from "../features.ts";
import type { KueueResult } from "../objects/kueue-error.ts";
import type { PodSet } from "../objects/workload.ts";
import { podCount } from "./pod-counts.ts";
import { topologyRequest } from "./topology-request.ts";

/**
 * Returns the Pod sets for which a JobSet needs quota: one per ReplicatedJob, in order. All need quota at the same
 * time, for any startup order. The result shares objects with the JobSet. Do not modify them.
 *
 * @returns an error for the first ReplicatedJob whose topology annotations cannot be parsed
 * @example
 * const jobSet = { spec: { replicatedJobs: [{ name: "Workers", replicas: 2 }] } };
 * const sets = podSets(jobSet, new Set());
 * sets.ok && sets.value // => [{ name: "workers", template: {}, count: 2 }]
 */
export function podSets(
  jobSet: Unvalidated<JobSet>,
  features: KueueFeatureGates,
): KueueResult<readonly PodSet[]> {
  const sets: PodSet[] = [];
  for (const replicatedJob of getReplicatedJobs(jobSet)) {
    const set = createPodSet(replicatedJob, features);
    if (!set.ok) return set;
    sets.push(set.value);
  }
  return { ok: true, value: sets };
}

function createPodSet(
  replicatedJob: Unvalidated<ReplicatedJob>,
  features: KueueFeatureGates,
): KueueResult<PodSet> {
  const template = getTemplate(replicatedJob) as PodTemplateSpec;
  const set = {
    name: asString(replicatedJob.name).toLowerCase(),
    template,
    count: podCount(replicatedJob),
  };
  if (!features.has("TopologyAwareScheduling")) return { ok: true, value: set };
  const annotations = template.metadata?.annotations;
  const request = topologyRequest(annotations, getReplicas(replicatedJob), features);
  return request.ok ? { ok: true, value: { ...set, topologyRequest: request.value } } : request;
}

/** Returns the Pod template of a ReplicatedJob, or an empty one if it is missing or invalid. */
export function getTemplate(
  replicatedJob: Unvalidated<ReplicatedJob>,
): Unvalidated<PodTemplateSpec> {
  const template = replicatedJob?.template?.spec?.template;
  return isObject(template) ? template : {};
}

/**
 * Returns the {@link podSets} as a Workload stores them. If a container has several environment variables with the
 * same name, one remains, with the first position and the last value. Ephemeral containers do not change.
 *
 * @example
 * const spec = { containers: [{ name: "c", env: [{ name: "A", value: "1" }, { name: "A", value: "2" }] }] };
 * const jobSet = { spec: { replicatedJobs: [{ name: "w", template: { spec: { template: { spec } } } }] } };
 * const sets = jobPodSets(jobSet, new Set());
 * sets.ok && sets.value[0]?.template.spec?.containers[0]?.env // => [{ name: "A", value: "2" }]
 */
export function jobPodSets(
  jobSet: Unvalidated<JobSet>,
  features: KueueFeatureGates,
): KueueResult<readonly PodSet[]> {
  const sets = podSets(jobSet, features);
  return sets.ok ? { ok: true, value: sets.value.map(sanitizePodSet) } : sets;
}

function sanitizePodSet(set: PodSet): PodSet {
  const { spec } = set.template;
  if (!isObject(spec)) return set;
  const containers = withDistinctVariables(spec.containers);
  const initContainers = withDistinctVariables(spec.initContainers);
  if (containers === spec.containers && initContainers === spec.initContainers) return set;
  const distinct = { ...spec, containers, ...(initContainers !== undefined && { initContainers }) };
  return { ...set, template: { ...set.template, spec: distinct } };
}

/** Removes duplicate variables. Returns the same list if there are none. */
function withDistinctVariables<List extends Container[] | undefined>(containers: List): List {
  if (!Array.isArray(containers)) return containers;
  const distinct = containers.map((container) => {
    const variables: unknown[] = isObject(container) ? [...asArray(container.env)] : [];
    const lastByName = new Map(variables.map((variable) => [variableName(variable), variable]));
    return lastByName.size === variables.length
      ? container
      : { ...container, env: [...lastByName.values()] };
  });
  const isSame = distinct.every((container, index) => container === containers[index]);
  return isSame ? containers : (distinct as List);
}

function variableName(variable: unknown): string {
  return isObject(variable) ? asString(variable.name as string) : "";
}
