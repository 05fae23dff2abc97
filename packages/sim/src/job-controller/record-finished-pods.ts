import { getUid, type Job, type JobStatus, type Pod } from "@jobset-ts/api/kubernetes";
import { FAILURE_TARGET } from "../api-server/job/batch-constants.ts";
import { formatIndexes } from "../api-server/job/index-set.ts";
import { withMembers } from "../with-members.ts";
import type { FinishedCondition } from "./finished-condition.ts";
import type { JobView } from "./job-view.ts";
import { countsTowardsLimits } from "./pod-failure-policy.ts";
import { getIndex, hasFailed, hasSucceeded, hasTrackingFinalizer, isIndexed } from "./pod-state.ts";

/** The status with newly recorded Pods, and the Pods whose finalizers can be removed once it is stored. */
export interface RecordResult {
  readonly status: JobStatus;
  readonly podsToRelease: readonly Pod[];
  /** Whether one sync was not enough to record all finished Pods. */
  readonly isFull: boolean;
}

/** The maximum number of Pods that one sync records. */
const MAX_UNCOUNTED_PODS = 500;

/**
 * Records finished Pods in the status: their UIDs or, for successes of an Indexed Job, their indexes. The finalizers
 * are removed only after this is stored, and the Pods are counted only after that. So no Pod is counted twice or
 * missed, even if the controller stops in between.
 *
 * @param finished - if the Job has failed, every remaining Pod counts as failed
 */
export function recordFinishedPods(
  view: JobView,
  status: JobStatus,
  finished: FinishedCondition | undefined,
): RecordResult {
  const { job, uncounted, indexes } = view;
  const tracked = new Set(view.pods.filter(hasTrackingFinalizer).map(getUid));
  const countedStatus = countReleasedPods(status, (uid) => tracked.has(uid));
  const succeeded = [...(countedStatus.uncountedTerminatedPods?.succeeded ?? [])];
  const failed = [...(countedStatus.uncountedTerminatedPods?.failed ?? [])];
  const succeededIndexes = new Set(indexes?.succeededBefore);
  const podsToRelease: Pod[] = [];
  let isFull = false;
  let recordedIndexCount = 0;
  const finishedPods = view.pods.filter(
    (pod) => hasTrackingFinalizer(pod) && canRemoveFinalizer(view, pod, finished),
  );
  for (const pod of sortByIndex(job, finishedPods)) {
    podsToRelease.push(pod);
    const index = getIndex(pod, job);
    const isOfJob = !isIndexed(job) || index !== undefined;
    if (hasSucceeded(pod) && !uncounted.failed.has(getUid(pod))) {
      if (index !== undefined && isIndexed(job)) {
        if (!succeededIndexes.has(index)) recordedIndexCount += 1;
        succeededIndexes.add(index);
      } else if (isOfJob && !uncounted.succeeded.has(getUid(pod))) {
        succeeded.push(getUid(pod));
      }
    } else if (hasFailed(pod, job) || finished?.type === FAILURE_TARGET) {
      if (isOfJob && !uncounted.failed.has(getUid(pod)) && countsTowardsLimits(job, pod)) {
        failed.push(getUid(pod));
      }
    }
    isFull = recordedIndexCount + succeeded.length + failed.length >= MAX_UNCOUNTED_PODS;
    if (isFull) break;
  }
  return {
    status: withMembers(countedStatus, {
      uncountedTerminatedPods: createUncountedLists(succeeded, failed),
      ...(isIndexed(job) && {
        succeeded: succeededIndexes.size,
        completedIndexes: formatIndexes(succeededIndexes),
        ...(indexes?.failed && { failedIndexes: formatIndexes(indexes.failed) }),
      }),
    }),
    podsToRelease,
    isFull,
  };
}

/** Moves recorded Pods without a finalizer into the counts. */
export function countReleasedPods(
  status: JobStatus,
  isTracked: (uid: string) => boolean,
): JobStatus {
  const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {};
  const remaining = { succeeded: succeeded.filter(isTracked), failed: failed.filter(isTracked) };
  return withMembers(status, {
    succeeded: (status.succeeded ?? 0) + succeeded.length - remaining.succeeded.length,
    failed: (status.failed ?? 0) + failed.length - remaining.failed.length,
    uncountedTerminatedPods: createUncountedLists(remaining.succeeded, remaining.failed),
  });
}

export function hasUncountedPods({ uncountedTerminatedPods }: JobStatus): boolean {
  const { succeeded = [], failed = [] } = uncountedTerminatedPods ?? {};
  return succeeded.length + failed.length > 0;
}

/** Returns whether the finalizer of a Pod can be removed: the Pod has finished, or its result no longer matters. */
function canRemoveFinalizer(
  { job, indexes }: JobView,
  pod: Pod,
  finished: FinishedCondition | undefined,
): boolean {
  if (job.metadata.deletionTimestamp !== undefined || finished !== undefined) return true;
  if (hasSucceeded(pod)) return true;
  if (!hasFailed(pod, job)) return false;
  const index = getIndex(pod, job);
  return index === undefined || indexes?.unreplaced.get(index) !== pod;
}

function sortByIndex(job: Job, pods: readonly Pod[]): readonly Pod[] {
  if (!isIndexed(job)) return pods;
  return pods.toSorted((one, other) => (getIndex(one, job) ?? -1) - (getIndex(other, job) ?? -1));
}

function createUncountedLists(succeeded: readonly string[], failed: readonly string[]) {
  return {
    ...(succeeded.length > 0 && { succeeded }),
    ...(failed.length > 0 && { failed }),
  };
}
