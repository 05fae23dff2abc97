import { isSuspended, type JobSet, type Unvalidated } from "@jobset-ts/api";
import { JOBSET_API_VERSION, JOBSET_KIND } from "@jobset-ts/api/keys";
import {
  asArray,
  asRecord,
  asString,
  getAnnotation,
  getControllerOf,
  getNamespace,
  getUid,
  isBeingDeleted,
  type KubernetesObject,
  namespacedName,
  type OwnerReference,
  validateLabelValue,
} from "@jobset-ts/api/kubernetes";
import { createOwnerReference } from "@jobset-ts/core/desired";
import { ADMISSION_GATED_BY_KEY, JOB_UID_KEY } from "../keys.ts";
import { findNamed, type KueueCluster } from "../objects/cluster.ts";
import { type KueueEvent, normalEvent } from "../objects/event.ts";
import { failResult, type KueueError } from "../objects/kueue-error.ts";
import { getStringMap, listObjects } from "../objects/members.ts";
import { hasQuotaReserved, isWorkloadFinished, type Workload } from "../objects/workload.ts";
import { findFinished } from "../status/jobset-state.ts";
import { isEquivalent } from "../workload/equivalent.ts";
import { newWorkload } from "../workload/new-workload.ts";
import { priorityChange } from "../workload/priority.ts";
import { prebuiltWorkloadName } from "../workload/workload-name.ts";
import {
  type Draft,
  type KueueContext,
  type WorkloadDraft,
  withEffects,
  withErrorEvent,
  withEvents,
  withMetadata,
  withoutFinalizer,
  withSpec,
  withStoppedJobSet,
  withWorkloadCondition,
} from "./draft.ts";
import { type KueueEffect, workloadKey } from "./effects.ts";

/** The Workload with which the reconcile continues. */
export type EnsureResult =
  | { readonly action: "Match"; readonly draft: Draft; readonly workload: Unvalidated<Workload> }
  /** No usable Workload exists. */
  | { readonly action: "None"; readonly draft: Draft }
  | { readonly action: "End"; readonly draft: Draft; readonly refusal: KueueError };

/** Ensures that a JobSet has at most one Workload, and that it matches the JobSet. */
export function ensureOne(draft: Draft): EnsureResult {
  const { jobSet, cluster, context } = draft;
  const prebuilt = prebuiltWorkloadName(jobSet, context.features);
  if (prebuilt === undefined)
    return keepOneWorkload(ownedWorkloads(draft, withJobSetKind(jobSet)), draft);
  const workload = findNamed(listObjects(cluster.workloads), prebuilt, getNamespace(jobSet));
  return workload === undefined ? { action: "None", draft } : adoptPrebuilt(workload, draft);
}

/** Returns the Workloads whose controller reference has the name and kind of an object, in list order. */
export function ownedWorkloads(
  { cluster }: Draft,
  owner: Unvalidated<KubernetesObject>,
): readonly Unvalidated<Workload>[] {
  return listObjects(cluster.workloads).filter(
    (workload) => getNamespace(workload) === getNamespace(owner) && isOwnedBy(workload, owner),
  );
}

function isOwnedBy(workload: Unvalidated<Workload>, owner: Unvalidated<KubernetesObject>): boolean {
  const reference = getControllerOf(workload);
  const { apiVersion, kind, metadata } = owner;
  return reference !== undefined && isSameOwner(reference, { apiVersion, kind, ...metadata });
}

/** Returns the metadata of a JobSet with its `apiVersion` and `kind`. A missing JobSet has neither. */
export function withJobSetKind({ metadata }: Unvalidated<JobSet>): Unvalidated<KubernetesObject> {
  return { apiVersion: JOBSET_API_VERSION, kind: JOBSET_KIND, metadata };
}

/** Reports whether two references name the same object, in any version of its API group. */
function isSameOwner(
  left: Unvalidated<OwnerReference>,
  right: Unvalidated<OwnerReference>,
): boolean {
  const group = ({ apiVersion }: Unvalidated<OwnerReference>) =>
    asString(apiVersion).split("/").slice(0, -1).join("/");
  return (
    group(left) === group(right) &&
    asString(left.kind) === asString(right.kind) &&
    asString(left.name) === asString(right.name)
  );
}

function adoptPrebuilt(workload: Unvalidated<Workload>, draft: Draft): EnsureResult {
  const { jobSet, cluster, context } = draft;
  const owner = getControllerOf(workload);
  const isOwn = owner !== undefined && asString(owner.uid) === getUid(jobSet);
  if (owner !== undefined && !isOwn) return { action: "None", draft };
  const adopted = isOwn ? { draft, workload } : adopt(workload, draft);
  const equivalent = isEquivalent(
    jobSet,
    adopted.workload,
    listObjects(cluster.resourceFlavors),
    context.features,
  );
  if (!equivalent.ok) return endWithError(adopted.draft, equivalent.refusal);
  if (equivalent.value) return { action: "Match", ...adopted };
  if (isWorkloadFinished(adopted.workload)) return { action: "None", draft: adopted.draft };
  const marked = withWorkloadCondition(adopted.draft, adopted.workload, {
    type: "Finished",
    status: "True",
    reason: "OutOfSync",
    message: "The prebuilt workload is out of sync with its user job",
  });
  return { action: "None", draft: marked.draft };
}

function adopt(workload: Unvalidated<Workload>, draft: Draft): WorkloadDraft {
  const { metadata } = workload;
  const own = createOwnerReference(draft.jobSet);
  const references = asArray(metadata?.ownerReferences);
  const known = references.findIndex((reference) => isSameOwner(reference ?? {}, own));
  const ownerReferences = known === -1 ? [...references, own] : references.with(known, own);
  const uid = getUid(draft.jobSet);
  const labels = getStringMap(metadata?.labels);
  const adopted = {
    ...metadata,
    ownerReferences,
    ...(validateLabelValue(uid).length === 0 && { labels: { ...labels, [JOB_UID_KEY]: uid } }),
  };
  return withMetadata(draft, workload, adopted, "update");
}

function endWithError(draft: Draft, refusal: KueueError): EnsureResult {
  return { action: "End", draft: withErrorEvent(draft, refusal), refusal };
}

function keepOneWorkload(owned: readonly Unvalidated<Workload>[], draft: Draft): EnsureResult {
  const { jobSet, cluster, context } = draft;
  let match: Unvalidated<Workload> | undefined;
  const surplus: Unvalidated<Workload>[] = [];
  for (const workload of owned) {
    const flavors = listObjects(cluster.resourceFlavors);
    const equivalent = isEquivalent(jobSet, workload, flavors, context.features);
    if (!equivalent.ok) return endWithError(draft, equivalent.refusal);
    if (match === undefined && equivalent.value) match = workload;
    else surplus.push(workload);
  }
  const [first, ...others] = surplus;
  const isUpdated =
    match === undefined && first !== undefined && isSuspended(jobSet) && !hasQuotaReserved(first);
  const deleted = isUpdated ? others : surplus;
  const isStopped = match === undefined && !isSuspended(jobSet) && !findFinished(jobSet).finished;
  const running = isStopped ? stopWithoutMatch(deleted, draft) : draft;
  const cleared = deleteSurplus(deleted, running);
  if (cleared.requested > 0) {
    const found = match === undefined ? "no matching workloads" : "extra workloads";
    const message = `${found}: deleted ${deleted.length} workloads`;
    return endWithError(cleared.draft, failResult("WorkloadsDeleted", message).refusal);
  }
  if (isUpdated) return updateToMatch(first, cleared.draft);
  return match === undefined
    ? { action: "None", draft: cleared.draft }
    : syncPriority(match, cleared.draft);
}

function stopWithoutMatch(surplus: readonly Unvalidated<Workload>[], draft: Draft): Draft {
  return surplus.length === 1
    ? withStoppedJobSet(
        draft,
        surplus[0],
        "No matching Workload; restoring pod templates according to existent Workload",
      )
    : withStoppedJobSet(draft, undefined, "Missing Workload; unable to restore pod templates");
}

/** Deletes the surplus Workloads. If one is already being deleted, only its finalizer is removed. */
function deleteSurplus(
  surplus: readonly Unvalidated<Workload>[],
  draft: Draft,
): { readonly draft: Draft; readonly requested: number } {
  let next = draft;
  let requested = 0;
  for (const workload of surplus) {
    next = withoutFinalizer(next, workload).draft;
    if (isBeingDeleted(workload)) continue;
    requested += 1;
    next = withEffects(next, { verb: "delete", target: workloadKey(workload) });
    const message = `Deleted not matching Workload: ${namespacedName(workload)}`;
    next = withEvents(next, normalEvent("DeletedWorkload", message));
  }
  return { draft: next, requested };
}

function updateToMatch(workload: Unvalidated<Workload>, draft: Draft): EnsureResult {
  const { jobSet, cluster, context } = draft;
  const desired = newWorkload(jobSet, cluster, context.config, context.features);
  if (!desired.ok) {
    const message = `can't construct workload for update: ${desired.refusal.message}`;
    return endWithError(draft, { ...desired.refusal, message });
  }
  const active = workload.spec?.active;
  const spec = { ...desired.value.spec, ...(active !== undefined && { active }) };
  const updated = withSpec(draft, workload, spec);
  const message = `Updated not matching Workload for suspended job: ${namespacedName(workload)}`;
  return {
    action: "Match",
    ...updated,
    draft: withEvents(updated.draft, normalEvent("UpdatedWorkload", message)),
  };
}

/** Applies the JobSet's admission gates and priority class to its Workload. */
function syncPriority(match: Unvalidated<Workload>, draft: Draft): EnsureResult {
  const gated = syncAdmissionGates(match, draft);
  const change = priorityChange(draft.jobSet, gated.workload, draft.cluster);
  if (!change.ok) return endWithError(gated.draft, change.refusal);
  if (change.value.action === "Keep") return { action: "Match", ...gated };
  const { priority, priorityClassRef } = change.value;
  const { priorityClassRef: _, ...spec } = gated.workload.spec ?? {};
  const updated = withSpec(gated.draft, gated.workload, {
    ...spec,
    priority,
    ...(priorityClassRef !== undefined && { priorityClassRef }),
  });
  const message = `Updated workload priority class: ${namespacedName(match)}`;
  return {
    action: "Match",
    ...updated,
    draft: withEvents(updated.draft, normalEvent("UpdatedWorkload", message)),
  };
}

function syncAdmissionGates(match: Unvalidated<Workload>, draft: Draft): WorkloadDraft {
  const unchanged = { draft, workload: match };
  if (!draft.context.features.has("AdmissionGatedBy")) return unchanged;
  const gates = getAnnotation(draft.jobSet, ADMISSION_GATED_BY_KEY) ?? "";
  if (gates === (getAnnotation(match, ADMISSION_GATED_BY_KEY) ?? "")) return unchanged;
  const { [ADMISSION_GATED_BY_KEY]: _, ...others } = getStringMap(match.metadata?.annotations);
  const annotations = { ...others, ...(gates !== "" && { [ADMISSION_GATED_BY_KEY]: gates }) };
  const patched = withMetadata(draft, match, { ...match.metadata, annotations }, "patch");
  const message = `Updated workload AdmissionGatedBy to "${gates}"`;
  return {
    ...patched,
    draft: withEvents(patched.draft, normalEvent("UpdatedWorkload", message)),
  };
}

/** The result of {@link ensureOneWorkload}. */
export interface EnsuredWorkload {
  /** The Workload after the effects. Absent if no usable one exists. */
  readonly workload?: Unvalidated<Workload>;
  readonly effects: readonly KueueEffect[];
  readonly events: readonly KueueEvent[];
  /** The error that stopped the function. The caller must retry. */
  readonly refusal?: KueueError;
}

/**
 * Ensures that a JobSet has at most one Workload, that it matches the JobSet, and that the JobSet does not run without
 * it. A prebuilt Workload is adopted if it matches, and marked as out of sync if it does not.
 *
 * @param cluster - the first of several matching Workloads is kept
 * @example
 * const jobSet = { metadata: { name: "train", namespace: "ml", uid: "u-1" }, spec: { suspend: false } };
 * const { events } = ensureOneWorkload(jobSet, {}, { now: 0, config: {}, features: resolveKueueFeatureGates() });
 * events[0]?.message // => "Missing Workload; unable to restore pod templates"
 */
export function ensureOneWorkload(
  jobSet: Unvalidated<JobSet>,
  cluster: KueueCluster,
  context: KueueContext,
): EnsuredWorkload {
  const read = { jobSet: asRecord(jobSet), cluster: asRecord(cluster) };
  const ensured = ensureOne({ ...read, context, effects: [], events: [] });
  const { effects, events } = ensured.draft;
  switch (ensured.action) {
    case "Match":
      return { workload: ensured.workload, effects, events };
    case "None":
      return { effects, events };
    case "End":
      return { effects, events, refusal: ensured.refusal };
  }
}
