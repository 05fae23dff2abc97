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
import { getStringMap } from "../objects/members.ts";
import {
  failResult,
  type KueueError,
  type KueueResult,
  notFoundMessage,
} from "../objects/refusal.ts";
import { MAX_LABEL_BYTES, prebuiltWorkloadName } from "./workload-name.ts";

/** Whether a JobSet runs on another cluster, and if not, why. */
export type MultiKueueEligibility =
  | { readonly eligible: true }
  | { readonly eligible: false; readonly message: string };

/**
 * Whether MultiKueue runs a JobSet on another cluster: when it is managed by that.
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
 * Which Workload a JobSet on a worker cluster belongs to, as `<namespace>/<name>`.
 *
 * @returns a refusal when the JobSet names none
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
 * @param workload.name - the Workload of the local JobSet, which is there under the same name
 * @param workload.origin - the name of the manager
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

/** What keeps a JobSet and the one on a worker cluster in step. */
export type SyncRemoteDecision =
  /** There is none on the worker cluster yet. */
  | { readonly action: "CreateRemote"; readonly jobSet: Unvalidated<JobSet> }
  /** Absent status: the remote one has none either. */
  | { readonly action: "CopyStatus"; readonly status?: Unvalidated<JobSetStatus> };

/**
 * What to do for a JobSet that runs on a worker cluster: create it there, or copy its whole status here.
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

/** What to do with a JobSet on a worker cluster that is no longer needed. */
export type DeleteRemoteDecision =
  | { readonly action: "Delete" }
  /** It is not there, or another manager's. */
  | { readonly action: "Keep"; readonly why: "IsMissing" | "HasOtherOrigin" };

/**
 * Whether a JobSet on a worker cluster may be deleted: if it comes from this manager.
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
 * What MultiKueue says of a JobSet that is not on the manager's cluster.
 *
 * @example
 * const missing = remoteJobSetNotFound("train");
 * missing.message // => 'jobsets.jobset.x-k8s.io "train" not found'
 */
export function remoteJobSetNotFound(name: string): KueueError {
  return failResult("NotFound", notFoundMessage("jobsets.jobset.x-k8s.io", asString(name))).refusal;
}
