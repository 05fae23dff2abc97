import type { JobSet, JobSetStatus, Unvalidated } from "@jobset-ts/api";
import {
  asRecord,
  asString,
  getLabel,
  getName,
  getNamespace,
  isObject,
} from "@jobset-ts/api/kubernetes";
import { goQuote, isLongerThan } from "@jobset-ts/api/text";
import type { KueueFeatureGates } from "../features.ts";
import {
  MULTIKUEUE_CONTROLLER_NAME,
  MULTIKUEUE_ORIGIN_KEY,
  PREBUILT_WORKLOAD_KEY,
} from "../keys.ts";
import {
  failResult,
  type KueueError,
  type KueueResult,
  notFoundMessage,
} from "../objects/kueue-error.ts";
import { getStringMap } from "../objects/members.ts";
import { MAX_LABEL_BYTES, prebuiltWorkloadName } from "./workload-name.ts";

/** Whether a JobSet can run on a worker cluster, and the reason if not. */
export type MultiKueueEligibility =
  | { readonly eligible: true }
  | { readonly eligible: false; readonly message: string };

/**
 * Reports whether MultiKueue can run a JobSet on a worker cluster. `spec.managedBy` must name MultiKueue.
 *
 * @example isMultiKueueEligible({ spec: {} }) // => { eligible: false, message: 'Expecting spec.managedBy to be "kueue.x-k8s.io/multikueue" not ""' }
 */
export function isMultiKueueEligible(jobSet: Unvalidated<JobSet>): MultiKueueEligibility {
  const managedBy = asString(jobSet?.spec?.managedBy);
  if (managedBy === MULTIKUEUE_CONTROLLER_NAME) return { eligible: true };
  const expected = goQuote(MULTIKUEUE_CONTROLLER_NAME);
  const message = `Expecting spec.managedBy to be ${expected} not ${goQuote(managedBy)}`;
  return { eligible: false, message };
}

/**
 * Returns the Workload of a JobSet on a worker cluster as `<namespace>/<name>`.
 *
 * @returns an error if the JobSet names none
 * @example
 * const key = prebuiltWorkloadKey({ metadata: { name: "train", namespace: "ml" } }, new Set());
 * key.ok ? "" : key.refusal.message // => "no prebuilt workload found for jobset: ml/train"
 */
export function prebuiltWorkloadKey(
  jobSet: Unvalidated<JobSet>,
  features: KueueFeatureGates,
): KueueResult<string> {
  const namespace = getNamespace(jobSet);
  const name = prebuiltWorkloadName(jobSet, features);
  if (name !== undefined) return { ok: true, value: `${namespace}/${name}` };
  const message = `no prebuilt workload found for jobset: ${namespace}/${getName(jobSet)}`;
  return failResult("NotFound", message);
}

/**
 * Returns the JobSet for a worker cluster. It equals the local one except for its manager. It carries the names of its
 * Workload and of the manager cluster.
 *
 * @param workload.name - the Workload of the local JobSet, which has the same name on the worker cluster
 * @param workload.origin - the name of the manager cluster
 * @example
 * const jobSet = { metadata: { name: "train" }, spec: { managedBy: "kueue.x-k8s.io/multikueue", suspend: true } };
 * remoteJobSet(jobSet, { name: "w", origin: "mk" }, resolveKueueFeatureGates()).spec // => { suspend: true }
 */
export function remoteJobSet(
  jobSet: Unvalidated<JobSet>,
  workload: { readonly name: string; readonly origin: string },
  features: KueueFeatureGates,
): Unvalidated<JobSet> {
  const asAnnotation =
    features.has("WorkloadIdentifierAnnotations") || isLongerThan(workload.name, MAX_LABEL_BYTES);
  const identifier = { [PREBUILT_WORKLOAD_KEY]: asString(workload.name) };
  const { managedBy: _, ...spec } = asRecord(jobSet?.spec);
  return {
    apiVersion: "jobset.x-k8s.io/v1alpha2",
    kind: "JobSet",
    metadata: {
      name: getName(jobSet),
      namespace: getNamespace(jobSet),
      labels: {
        ...getStringMap(jobSet?.metadata?.labels),
        ...(!asAnnotation && identifier),
        [MULTIKUEUE_ORIGIN_KEY]: asString(workload.origin),
      },
      annotations: {
        ...getStringMap(jobSet?.metadata?.annotations),
        ...(asAnnotation && identifier),
      },
    },
    spec,
  };
}

/** The next step to synchronize a JobSet with its copy on a worker cluster. */
export type SyncRemoteDecision =
  /** The worker cluster does not have the JobSet yet. */
  | { readonly action: "CreateRemote"; readonly jobSet: Unvalidated<JobSet> }
  /** An absent status means that the remote JobSet has none. */
  | { readonly action: "CopyStatus"; readonly status?: Unvalidated<JobSetStatus> };

/**
 * Returns the next step for a JobSet that runs on a worker cluster: create it there, or copy its whole status here.
 *
 * @param remote - the JobSet of the same name on the worker cluster
 * @example evaluateSyncRemote({}, { status: { restarts: 1 } }, { name: "w", origin: "mk" }, new Set()) // => { action: "CopyStatus", status: { restarts: 1 } }
 */
export function evaluateSyncRemote(
  jobSet: Unvalidated<JobSet>,
  remote: Unvalidated<JobSet> | undefined,
  workload: { readonly name: string; readonly origin: string },
  features: KueueFeatureGates,
): SyncRemoteDecision {
  if (!isObject(remote)) {
    return { action: "CreateRemote", jobSet: remoteJobSet(jobSet, workload, features) };
  }
  return { action: "CopyStatus", ...(isObject(remote.status) && { status: remote.status }) };
}

/** The next step for a JobSet on a worker cluster that is no longer needed. */
export type DeleteRemoteDecision =
  | { readonly action: "Delete" }
  /** It does not exist, or it belongs to another manager cluster. */
  | { readonly action: "Keep"; readonly why: "IsMissing" | "HasOtherOrigin" };

/**
 * Decides whether a JobSet on a worker cluster may be deleted. It must come from this manager cluster.
 *
 * @returns an error if the manager's name is missing
 * @example
 * const remote = { metadata: { labels: { "kueue.x-k8s.io/multikueue-origin": "other" } } };
 * const decision = evaluateDeleteRemote(remote, "mk");
 * decision.ok && decision.value // => { action: "Keep", why: "HasOtherOrigin" }
 */
export function evaluateDeleteRemote(
  remote: Unvalidated<JobSet> | undefined,
  origin: string,
): KueueResult<DeleteRemoteDecision> {
  if (asString(origin) === "") return failResult("NoOrigin", "multikueue origin is empty");
  if (!isObject(remote)) return { ok: true, value: { action: "Keep", why: "IsMissing" } };
  return getLabel(remote, MULTIKUEUE_ORIGIN_KEY) === origin
    ? { ok: true, value: { action: "Delete" } }
    : { ok: true, value: { action: "Keep", why: "HasOtherOrigin" } };
}

/**
 * Returns MultiKueue's error for a JobSet that does not exist on the manager cluster.
 *
 * @example
 * const missing = remoteJobSetNotFound("train");
 * missing.message // => 'jobsets.jobset.x-k8s.io "train" not found'
 */
export function remoteJobSetNotFound(name: string): KueueError {
  return failResult("NotFound", notFoundMessage("jobsets.jobset.x-k8s.io", asString(name))).refusal;
}
