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
import type { KueueResult } from "../objects/refusal.ts";
import type { PodSet } from "../objects/workload.ts";
import { podCount } from "./pod-counts.ts";
import { topologyRequest } from "./topology-request.ts";

/**
 * What a JobSet needs quota for: one Pod set a ReplicatedJob, in their order, for all of them at once, whatever the order in
 * which they start. Nothing of it is shared with a later change of the JobSet, for neither is ever changed.
 *
 * @returns a refusal for the first ReplicatedJob whose topology annotations cannot be read
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

/** The Pod template of a ReplicatedJob; what is none is an empty one. */
export function getTemplate(
  replicatedJob: Unvalidated<ReplicatedJob>,
): Unvalidated<PodTemplateSpec> {
  const template = replicatedJob?.template?.spec?.template;
  return isObject(template) ? template : {};
}

/**
 * The {@link podSets} as a Workload holds them: of a container's environment variables with one name, the first one's place and
 * the last one's value are left. Ephemeral containers stay as they are.
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

/** The very list when there is nothing to do. */
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
