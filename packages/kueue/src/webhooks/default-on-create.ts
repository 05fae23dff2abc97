import type { JobSet, Unvalidated } from "@jobset-ts/api";
import { JOBSET_CONTROLLER_NAME } from "@jobset-ts/api/keys";
import {
  asString,
  getControllerOf,
  getLabel,
  getNamespace,
  isBeingDeleted,
  matchesLabelSelector,
} from "@jobset-ts/api/kubernetes";
import type { KueueFeatureGates } from "../features.ts";
import {
  DEFAULT_LOCAL_QUEUE,
  DEFAULT_PRIORITY_CLASS,
  MULTIKUEUE_CONTROLLER_NAME,
  PRIORITY_CLASS_KEY,
  QUEUE_NAME_KEY,
} from "../keys.ts";
import { findNamed, type KueueCluster } from "../objects/cluster.ts";
import type { KueueConfig } from "../objects/config.ts";
import {
  failResult,
  type KueueError,
  type KueueResult,
  notFoundMessage,
} from "../objects/kueue-error.ts";
import { getStringMap, listObjects } from "../objects/members.ts";
import { isEnabled, kueueAncestor } from "./ancestor.ts";

/**
 * Reports whether Kueue may set `managedBy`: only while JobSet's own controller manages the JobSet.
 *
 * @example canDefaultManagedBy({ spec: { managedBy: "example.com/controller" } }, resolveKueueFeatureGates()) // => false
 */
export function canDefaultManagedBy(
  jobSet: Unvalidated<JobSet>,
  features: KueueFeatureGates,
): boolean {
  const managedBy = jobSet?.spec?.managedBy ?? undefined;
  return (
    features.has("MultiKueue") && (managedBy === undefined || managedBy === JOBSET_CONTROLLER_NAME)
  );
}

/** A denied request, with the message for the client. */
export interface DenialStatus {
  readonly code: number;
  readonly reason: string;
  readonly message: string;
}

/** The result of Kueue's defaulting webhook for a new JobSet. */
export type DefaultedJobSet =
  | { readonly allowed: true; readonly jobSet: Unvalidated<JobSet> }
  | { readonly allowed: false; readonly status: DenialStatus };

/**
 * Applies Kueue's defaults to a new JobSet: the default queue and priority, suspension until it has quota, and
 * MultiKueue as its manager if its queue uses MultiKueue.
 *
 * A JobSet with a queue is suspended even in a namespace that Kueue does not manage, where nothing will start it.
 *
 * @param cluster - its namespaces, queues, admission checks, priority classes and owners are used
 * @returns the same object if nothing changes; an error if its namespace or one of its owners does not exist
 * @example
 * const jobSet = { metadata: { namespace: "ml", labels: { "kueue.x-k8s.io/queue-name": "q" } } };
 * const defaulted = defaultOnCreate(jobSet, {}, {}, resolveKueueFeatureGates());
 * defaulted.allowed && defaulted.jobSet.spec // => { suspend: true }
 */
export function defaultOnCreate(
  jobSet: Unvalidated<JobSet>,
  cluster: KueueCluster,
  config: KueueConfig,
  features: KueueFeatureGates,
): DefaultedJobSet {
  const input: DefaultingInput = { cluster, config, features };
  const queued = withDefaultQueue(jobSet, input);
  if (!queued.ok) return deny(queued.refusal);
  const prioritised = withDefaultPriority(queued.value, input);
  const suspended = withDefaultSuspend(prioritised, input);
  if (!suspended.ok) return deny(suspended.refusal);
  return { allowed: true, jobSet: withDefaultManager(suspended.value, input) };
}

function deny({ message, lookup }: KueueError): DefaultedJobSet {
  const status =
    lookup === undefined
      ? { code: 403, reason: "Forbidden", message }
      : { code: 404, reason: "NotFound", message: lookup };
  return { allowed: false, status };
}

interface DefaultingInput {
  readonly cluster: KueueCluster;
  readonly config: KueueConfig;
  readonly features: KueueFeatureGates;
}

function withDefaultQueue(
  jobSet: Unvalidated<JobSet>,
  { cluster, config }: DefaultingInput,
): KueueResult<Unvalidated<JobSet>> {
  const isQueued = (getLabel(jobSet, QUEUE_NAME_KEY) ?? "") !== "";
  const hasDefault =
    findNamed(cluster?.localQueues, DEFAULT_LOCAL_QUEUE, getNamespace(jobSet)) !== undefined;
  if (isQueued || !hasDefault || hasEnabledOwner(jobSet, config))
    return { ok: true, value: jobSet };
  const selected = inManagedNamespace(jobSet, cluster, config);
  if (!selected.ok) return selected;
  const value = selected.value ? withLabel(jobSet, QUEUE_NAME_KEY, DEFAULT_LOCAL_QUEUE) : jobSet;
  return { ok: true, value };
}

function hasEnabledOwner(jobSet: Unvalidated<JobSet>, config: KueueConfig): boolean {
  const owner = getControllerOf(jobSet);
  return owner !== undefined && isEnabled(owner, config);
}

/** Reports whether Kueue manages JobSets in the namespace of a JobSet. */
export function inManagedNamespace(
  jobSet: Unvalidated<JobSet>,
  cluster: KueueCluster,
  config: KueueConfig,
): KueueResult<boolean> {
  const selector = config?.managedJobsNamespaceSelector;
  if (selector === undefined) return { ok: true, value: true };
  const name = getNamespace(jobSet);
  const namespace = findNamed(cluster?.namespaces, name);
  if (namespace === undefined) {
    const lookup = notFoundMessage("namespaces", name);
    const { refusal } = failResult("NotFound", lookup);
    return { ok: false, refusal: { ...refusal, lookup } };
  }
  return {
    ok: true,
    value: matchesLabelSelector(selector, getStringMap(namespace.metadata?.labels)),
  };
}

function withDefaultPriority(
  jobSet: Unvalidated<JobSet>,
  { cluster, config, features }: DefaultingInput,
): Unvalidated<JobSet> {
  const isGiven =
    features.has("WorkloadPriorityClassDefaulting") &&
    (getLabel(jobSet, PRIORITY_CLASS_KEY) ?? "") === "" &&
    findNamed(cluster?.workloadPriorityClasses, DEFAULT_PRIORITY_CLASS) !== undefined &&
    !hasEnabledOwner(jobSet, config);
  return isGiven ? withLabel(jobSet, PRIORITY_CLASS_KEY, DEFAULT_PRIORITY_CLASS) : jobSet;
}

function withDefaultSuspend(
  jobSet: Unvalidated<JobSet>,
  { cluster, config, features }: DefaultingInput,
): KueueResult<Unvalidated<JobSet>> {
  const unchanged = { ok: true, value: jobSet } as const;
  if (isBeingDeleted(jobSet) && features.has("SkipAncestorCheckForDeletedWorkloads"))
    return unchanged;
  const ancestor = kueueAncestor(jobSet, listObjects(cluster?.owners), config);
  if (!ancestor.ok) return ancestor;
  if (ancestor.value !== undefined) return unchanged;
  const isQueued = (getLabel(jobSet, QUEUE_NAME_KEY) ?? "") !== "";
  if (!isQueued) {
    if (config?.manageJobsWithoutQueueName !== true) return unchanged;
    const selected = inManagedNamespace(jobSet, cluster, config);
    if (!selected.ok) return selected;
    if (!selected.value) return unchanged;
  }
  return jobSet?.spec?.suspend === true
    ? unchanged
    : { ok: true, value: { ...jobSet, spec: { ...jobSet?.spec, suspend: true } } };
}

function withDefaultManager(jobSet: Unvalidated<JobSet>, { cluster, features }: DefaultingInput) {
  const queue = getLabel(jobSet, QUEUE_NAME_KEY);
  if (!canDefaultManagedBy(jobSet, features) || queue === undefined) return jobSet;
  const localQueue = findNamed(cluster?.localQueues, queue, getNamespace(jobSet));
  const clusterQueue = findNamed(cluster?.clusterQueues, asString(localQueue?.spec?.clusterQueue));
  if (localQueue === undefined || clusterQueue === undefined) return jobSet;
  const isMultiKueue = listObjects(
    clusterQueue.spec?.admissionChecksStrategy?.admissionChecks,
  ).some(
    ({ name }) =>
      findNamed(cluster?.admissionChecks, asString(name))?.spec?.controllerName ===
      MULTIKUEUE_CONTROLLER_NAME,
  );
  return isMultiKueue
    ? { ...jobSet, spec: { ...jobSet?.spec, managedBy: MULTIKUEUE_CONTROLLER_NAME } }
    : jobSet;
}

function withLabel(jobSet: Unvalidated<JobSet>, key: string, value: string): Unvalidated<JobSet> {
  const labels = { ...getStringMap(jobSet?.metadata?.labels), [key]: value };
  return { ...jobSet, metadata: { ...jobSet?.metadata, labels } };
}
