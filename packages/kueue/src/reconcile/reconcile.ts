import { isSuspended, type JobSet, parseTime, type Unvalidated } from "@jobset-ts/api";
import {
  asRecord,
  asString,
  findCondition,
  getAnnotation,
  getLabel,
  getName,
  getNamespace,
  getUid,
  isBeingDeleted,
  isObject,
  type KubernetesObject,
  namespacedName,
} from "@jobset-ts/api/kubernetes";
import { compareBytes } from "@jobset-ts/api/text";
import { runWithPodSetsInfo } from "../admission/admit.ts";
import { podSetsInfoFromAdmission } from "../admission/pod-sets-info-from-admission.ts";
import { ELASTIC_JOB_KEY, QUEUE_NAME_KEY } from "../keys.ts";
import type { KueueCluster } from "../objects/cluster.ts";
import { type KueueEvent, normalEvent } from "../objects/event.ts";
import { failResult, type KueueError } from "../objects/kueue-error.ts";
import { listObjects } from "../objects/members.ts";
import {
  hasQuotaReserved,
  isAdmitted,
  isEvicted,
  isWorkloadFinished,
  type Workload,
} from "../objects/workload.ts";
import { findFinished, isActive } from "../status/jobset-state.ts";
import { isPodsReadyOutdated, podsReadyCondition } from "../status/pods-ready-condition.ts";
import {
  capReclaimablePods,
  reclaimablePods,
  sameReclaimablePods,
} from "../status/reclaimable-pods.ts";
import { kueueAncestor } from "../webhooks/ancestor.ts";
import { inManagedNamespace } from "../webhooks/default-on-create.ts";
import { newWorkload } from "../workload/new-workload.ts";
import { prebuiltWorkloadName } from "../workload/workload-name.ts";
import {
  type Draft,
  type KueueContext,
  withEffects,
  withErrorEvent,
  withEvents,
  withJobSet,
  withoutFinalizer,
  withSpec,
  withStatus,
  withStoppedJobSet,
  withWorkloadCondition,
} from "./draft.ts";
import { type KueueEffect, workloadKey } from "./effects.ts";
import { ensureOne, ownedWorkloads, withJobSetKind } from "./ensure-one.ts";
import { evictedStatus } from "./evicted-status.ts";

/** The JobSet to reconcile, by name. `jobSet` is absent if it no longer exists. */
export interface KueueRequest {
  readonly namespace: string;
  readonly name: string;
  readonly jobSet?: Unvalidated<JobSet>;
}

/** The rule that decided a reconcile. The first that applies decides. */
export type KueueRule =
  /** The JobSet is deleted or is being deleted. */
  | "OwnerGone"
  | "NotManaged"
  /** Kueue manages an ancestor of the JobSet instead. */
  | "ChildOfManaged"
  /** The Workload of the JobSet is not determined yet. */
  | "WorkloadUnsettled"
  | "WorkloadFinished"
  | "WorkloadDeleted"
  | "JobSetFinished"
  /** The Workload does not exist. The reconcile creates it or waits for a prebuilt one. */
  | "NoWorkload"
  | "ReclaimablePodsDiffer"
  | "PodsReadyDiffers"
  | "Evicted"
  | "MayStart"
  | "Queued"
  /** The JobSet runs but is not admitted. */
  | "NotAdmitted"
  | "Running";

/** Kueue's next step for one JobSet: ordered effects, Events for the JobSet, and the deciding rule. */
export interface KueuePass {
  readonly rule: KueueRule;
  readonly effects: readonly KueueEffect[];
  readonly events: readonly KueueEvent[];
  /** The error that stopped the reconcile. The caller must retry. */
  readonly refusal?: KueueError;
}

/**
 * Returns what one reconcile of Kueue's JobSet integration does. The first of fifteen rules that applies decides.
 *
 * @param cluster - if several Workloads match, the first is kept; `owners` need not contain the JobSet
 * @example
 * const jobSet = { metadata: { namespace: "ml", name: "train", labels: { "kueue.x-k8s.io/queue-name": "q" } }, spec: { suspend: true } };
 * const context = { now: 0, config: {}, features: resolveKueueFeatureGates() };
 * const { rule, events } = reconcileKueue({ namespace: "ml", name: "train", jobSet }, { namespaces: [{ metadata: { name: "ml" } }] }, context);
 * [rule, events[0]?.message] // => ["NoWorkload", "Created Workload: ml/jobset-train-c91db"]
 */
export function reconcileKueue(
  request: KueueRequest,
  cluster: KueueCluster,
  context: KueueContext,
): KueuePass {
  const { namespace, name } = request;
  const jobSet = isObject(request.jobSet) ? request.jobSet : { metadata: { namespace, name } };
  const draft: Draft = { jobSet, cluster: asRecord(cluster), context, effects: [], events: [] };
  if (jobSet !== request.jobSet || isBeingDeleted(jobSet)) return releaseWorkloads(draft);
  return checkManaged(draft) ?? reconcileWorkload(draft);
}

function createPass(rule: KueueRule, { effects, events }: Draft, refusal?: KueueError): KueuePass {
  return { rule, effects, events, ...(refusal !== undefined && { refusal }) };
}

function releaseWorkloads(draft: Draft): KueuePass {
  let next = draft;
  for (const owned of ownedWorkloads(draft, withJobSetKind(draft.jobSet))) {
    const isMarked = isBeingDeleted(owned) || isWorkloadFinished(owned);
    let workload = owned;
    if (draft.context.features.has("FinishOrphanedWorkloads") && !isMarked) {
      ({ draft: next, workload } = withWorkloadCondition(next, owned, {
        type: "Finished",
        status: "True",
        reason: "OwnerNotFound",
        message: "The workload's owner no longer exists",
      }));
    }
    next = withoutFinalizer(next, workload).draft;
  }
  return createPass("OwnerGone", next);
}

/**
 * Returns the result for a JobSet that Kueue does not manage directly. Returns `undefined` if it manages the JobSet.
 */
function checkManaged(draft: Draft): KueuePass | undefined {
  const { jobSet, cluster, context } = draft;
  const namespaces = listObjects(cluster.namespaces);
  const hasNamespace = namespaces.some(
    (one) => asString(one.metadata?.name) === getNamespace(jobSet),
  );
  const selected = inManagedNamespace(jobSet, cluster, context.config);
  if (!hasNamespace || !selected.ok || !selected.value) return createPass("NotManaged", draft);
  // The JobSet may be its own ancestor. Then the owners form a cycle.
  const owners = [...listObjects(cluster.owners), jobSet];
  const ancestor = kueueAncestor(jobSet, owners, context.config);
  if (!ancestor.ok) {
    return createPass("ChildOfManaged", withErrorEvent(draft, ancestor.refusal), ancestor.refusal);
  }
  if (ancestor.value !== undefined) return reconcileChild(draft, ancestor.value);
  const isQueued = (getLabel(jobSet, QUEUE_NAME_KEY) ?? "") !== "";
  const isManaged = isQueued || context.config.manageJobsWithoutQueueName === true;
  return isManaged ? undefined : createPass("NotManaged", draft);
}

/** Suspends a JobSet while its ancestor may not run. Its templates do not change. */
function reconcileChild(draft: Draft, ancestor: Unvalidated<KubernetesObject>): KueuePass {
  const { jobSet, context } = draft;
  const mayRun = findFinished(jobSet).finished || isSuspended(jobSet);
  const workload = newestUnfinished(ownedWorkloads(draft, ancestor));
  const isElastic =
    context.features.has("ElasticJobsViaWorkloadSlices") &&
    [jobSet, ancestor].some((object) => getAnnotation(object, ELASTIC_JOB_KEY) === "true");
  const isHeld = isElastic ? workload === undefined || isEvicted(workload) : !isAdmitted(workload);
  if (mayRun || !isHeld) return createPass("ChildOfManaged", draft);
  const suspended = { ...jobSet, spec: { ...jobSet.spec, suspend: true } };
  const event = normalEvent("Suspended", "Kueue managed child job suspended");
  return createPass("ChildOfManaged", withEvents(withJobSet(draft, suspended), event));
}

/**
 * Returns the newest unfinished Workload. Creation times have a resolution of one second, so the largest UID breaks
 * ties, as in Kueue.
 */
function newestUnfinished(
  workloads: readonly Unvalidated<Workload>[],
): Unvalidated<Workload> | undefined {
  const getCreationKey = ({ metadata }: Unvalidated<Workload>) =>
    parseTime(metadata?.creationTimestamp) ?? Number.MIN_SAFE_INTEGER;
  return workloads
    .filter((workload) => !isWorkloadFinished(workload))
    .toSorted(
      (a, b) =>
        getCreationKey(a) - getCreationKey(b) ||
        compareBytes(getUid(a), getUid(b)) ||
        compareBytes(getName(a), getName(b)),
    )
    .at(-1);
}

function reconcileWorkload(draft: Draft): KueuePass {
  const ensured = ensureOne(draft);
  if (ensured.action === "End")
    return createPass("WorkloadUnsettled", ensured.draft, ensured.refusal);
  const next = ensured.draft;
  if (ensured.action === "None") {
    return findFinished(next.jobSet).finished
      ? createPass("JobSetFinished", next)
      : reconcileMissingWorkload(next);
  }
  const { workload } = ensured;
  // Kueue rejects no status write after the quota is released. So the eviction comes first.
  const isUrgent = draft.context.evictFirst === true && hasQuotaReserved(workload);
  return (
    reconcileFinished(workload, next) ??
    (isUrgent && isEvicted(workload) ? reconcileEvicted(workload, next) : undefined) ??
    syncWorkloadStatus(workload, next) ??
    (isEvicted(workload) ? reconcileEvicted(workload, next) : reconcileAdmission(workload, next))
  );
}

/** Handles a finished or deleted Workload and a finished JobSet. */
function reconcileFinished(workload: Unvalidated<Workload>, draft: Draft): KueuePass | undefined {
  const declared = normalEvent(
    "FinishedWorkload",
    `Workload '${namespacedName(workload)}' is declared finished`,
  );
  if (isWorkloadFinished(workload)) {
    return createPass(
      "WorkloadFinished",
      withEvents(withoutFinalizer(draft, workload).draft, declared),
    );
  }
  if (isBeingDeleted(workload)) {
    const halted = withStoppedJobSet(draft, workload, "Workload is deleted");
    return createPass("WorkloadDeleted", withoutFinalizer(halted, workload).draft);
  }
  const ended = findFinished(draft.jobSet);
  if (!ended.finished) return undefined;
  const marked = withWorkloadCondition(draft, workload, {
    type: "Finished",
    status: "True",
    reason: ended.success ? "Succeeded" : "Failed",
    message: ended.message,
  });
  return createPass("JobSetFinished", withEvents(marked.draft, declared));
}

function reconcileMissingWorkload(draft: Draft): KueuePass {
  const { jobSet, cluster, context } = draft;
  const prebuilt = prebuiltWorkloadName(jobSet, context.features);
  const next =
    prebuilt === undefined ? draft : withStoppedJobSet(draft, undefined, "missing workload");
  if (isActive(jobSet)) return createPass("NoWorkload", next);
  if (prebuilt !== undefined) {
    return createPass(
      "NoWorkload",
      next,
      failResult("NotFound", "prebuilt workload not found").refusal,
    );
  }
  const desired = newWorkload(jobSet, cluster, context.config, context.features);
  if (!desired.ok) {
    return createPass("NoWorkload", withErrorEvent(next, desired.refusal), desired.refusal);
  }
  const object = desired.value;
  const created = withEffects(next, { verb: "create", target: workloadKey(object), object });
  const event = normalEvent("CreatedWorkload", `Created Workload: ${namespacedName(object)}`);
  return createPass("NoWorkload", withEvents(created, event));
}

/** Returns the update of the Workload's status that reflects the JobSet's status. */
function syncWorkloadStatus(workload: Unvalidated<Workload>, draft: Draft): KueuePass | undefined {
  const { jobSet, context } = draft;
  const { podSets } = workload.spec ?? {};
  const reclaimable = capReclaimablePods(reclaimablePods(jobSet) ?? [], listObjects(podSets));
  const { reclaimablePods: before, ...status } = workload.status ?? {};
  if (context.features.has("ReclaimablePods") && !sameReclaimablePods(reclaimable, before)) {
    const list = reclaimable.length === 0 ? {} : { reclaimablePods: reclaimable };
    const next = withStatus(draft, workload, { ...status, ...list });
    return createPass("ReclaimablePodsDiffer", next.draft);
  }
  const ready = podsReadyCondition(workload, jobSet);
  if (context.config.waitForPodsReady === true && isPodsReadyOutdated(workload, ready)) {
    return createPass("PodsReadyDiffers", withWorkloadCondition(draft, workload, ready).draft);
  }
  return undefined;
}

/** Stops the JobSet and releases its quota once its Pods are gone. */
function reconcileEvicted(workload: Unvalidated<Workload>, draft: Draft): KueuePass {
  const evicted = findCondition(workload.status?.conditions, "Evicted");
  const next = withStoppedJobSet(draft, workload, asString(evicted?.message));
  if (!hasQuotaReserved(workload) || isActive(next.jobSet)) return createPass("Evicted", next);
  const status = evictedStatus(workload, draft.context);
  return createPass("Evicted", withStatus(next, workload, status).draft);
}

function reconcileAdmission(workload: Unvalidated<Workload>, draft: Draft): KueuePass {
  if (isSuspended(draft.jobSet)) {
    return isAdmitted(workload) ? startJobSet(workload, draft) : reconcileQueued(workload, draft);
  }
  if (isAdmitted(workload)) return createPass("Running", draft);
  return createPass(
    "NotAdmitted",
    withStoppedJobSet(draft, workload, "Not admitted by cluster queue"),
  );
}

function startJobSet(workload: Unvalidated<Workload>, draft: Draft): KueuePass {
  const { jobSet, cluster, context } = draft;
  const flavors = listObjects(cluster.resourceFlavors);
  const infos = podSetsInfoFromAdmission(workload, flavors, context.features);
  const admitted = infos.ok ? runWithPodSetsInfo(jobSet, infos.value, context.features) : infos;
  if (admitted.ok) {
    const clusterQueue = asString(workload.status?.admission?.clusterQueue);
    const event = normalEvent("Started", `Admitted by clusterQueue ${clusterQueue}`);
    return createPass("MayStart", withEvents(withJobSet(draft, admitted.value), event));
  }
  const { refusal } = admitted;
  if (!refusal.isPermanent) return createPass("MayStart", withErrorEvent(draft, refusal), refusal);
  const marked = withWorkloadCondition(draft, workload, {
    type: "Finished",
    status: "True",
    reason: "FailedToStart",
    message: refusal.message,
  });
  return createPass("MayStart", marked.draft);
}

function reconcileQueued(workload: Unvalidated<Workload>, draft: Draft): KueuePass {
  const next = withEvents(draft, pendingChecksEvent(workload));
  const queue = getLabel(draft.jobSet, QUEUE_NAME_KEY) ?? "";
  const { queueName, ...spec } = workload.spec ?? {};
  if (asString(queueName) === queue) return createPass("Queued", next);
  const moved = { ...spec, ...(queue !== "" && { queueName: queue }) };
  return createPass("Queued", withSpec(next, workload, moved).draft);
}

function pendingChecksEvent(workload: Unvalidated<Workload>): KueueEvent | undefined {
  if (!hasQuotaReserved(workload)) return undefined;
  const pending = listObjects(workload.status?.admissionChecks).filter(
    ({ state, message }) => state === "Pending" && asString(message) !== "",
  );
  if (pending.length === 0) return undefined;
  const texts = pending.map(({ name, message }) => `${asString(name)}: ${asString(message)}`);
  return normalEvent("UpdatedAdmissionCheck", texts.join("; "));
}
