import { getUid, type Job, type JobStatus, type Pod } from "@jobset-ts/api/kubernetes";
import { FAILURE_TARGET } from "../api-server/job/batch-constants.ts";
import { formatIndexes } from "../api-server/job/index-set.ts";
import { withMembers } from "../with-members.ts";
import type { FinishedCondition } from "./finished-condition.ts";
import type { JobView } from "./job-view.ts";
import { countsTowardsLimits } from "./pod-failure-policy.ts";
import { getIndex, hasFailed, hasSucceeded, hasTrackingFinalizer, isIndexed } from "./pod-state.ts";

/** What is about to be counted, and the Pods that may go once that is written. */
export interface RecordResult {
  readonly status: JobStatus;
  readonly released: readonly Pod[];
  /** Whether there may be more to count than one sync does. */
  readonly isFull: boolean;
}

/** No sync writes down more Pods. */
const MAX_UNCOUNTED_PODS = 500;

/**
 * Writes down the Pods that have ended: their UIDs, or of successes of an Indexed Job the indexes. Only once that is
 * stored do their finalizers go, and only once those are gone are they in the counts; so nothing is counted twice or
 * never, wherever the controller stops.
 *
 * @param ending - where the Job has failed, every Pod that is still there counts as failed
 */
export function recordFinishedPods(
  view: JobView,
  status: JobStatus,
  ending: FinishedCondition | undefined,
): RecordResult {
  const { job, uncounted, indexes } = view;
  const tracked = new Set(view.pods.filter(hasTrackingFinalizer).map(getUid));
  const folded = countReleasedPods(status, (uid) => tracked.has(uid));
  const succeeded = [...(folded.uncountedTerminatedPods?.succeeded ?? [])];
  const failed = [...(folded.uncountedTerminatedPods?.failed ?? [])];
  const succeededIndexes = new Set(indexes?.succeededBefore);
  const released: Pod[] = [];
  let isFull = false;
  let noted = 0;
  const ended = view.pods.filter(
    (pod) => hasTrackingFinalizer(pod) && canRemoveFinalizer(view, pod, ending),
  );
  for (const pod of sortByIndex(job, ended)) {
    released.push(pod);
    const index = getIndex(pod, job);
    const isOfJob = !isIndexed(job) || index !== undefined;
    if (hasSucceeded(pod) && !uncounted.failed.has(getUid(pod))) {
      if (index !== undefined && isIndexed(job)) {
        if (!succeededIndexes.has(index)) noted += 1;
        succeededIndexes.add(index);
      } else if (isOfJob && !uncounted.succeeded.has(getUid(pod))) {
        succeeded.push(getUid(pod));
      }
    } else if (hasFailed(pod, job) || ending?.type === FAILURE_TARGET) {
      if (isOfJob && !uncounted.failed.has(getUid(pod)) && countsTowardsLimits(job, pod)) {
        failed.push(getUid(pod));
      }
    }
    isFull = noted + succeeded.length + failed.length >= MAX_UNCOUNTED_PODS;
    if (isFull) break;
  }
  return {
    status: withMembers(folded, {
      uncountedTerminatedPods: createUncountedLists(succeeded, failed),
      ...(isIndexed(job) && {
        succeeded: succeededIndexes.size,
        completedIndexes: formatIndexes(succeededIndexes),
        ...(indexes?.failed && { failedIndexes: formatIndexes(indexes.failed) }),
      }),
    }),
    released,
    isFull,
  };
}

/** Adds those of the noted Pods to the counts that are not held any more. */
export function countReleasedPods(status: JobStatus, isHeld: (uid: string) => boolean): JobStatus {
  const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {};
  const still = { succeeded: succeeded.filter(isHeld), failed: failed.filter(isHeld) };
  return withMembers(status, {
    succeeded: (status.succeeded ?? 0) + succeeded.length - still.succeeded.length,
    failed: (status.failed ?? 0) + failed.length - still.failed.length,
    uncountedTerminatedPods: createUncountedLists(still.succeeded, still.failed),
  });
}

export function hasUncountedPods({ uncountedTerminatedPods }: JobStatus): boolean {
  const { succeeded = [], failed = [] } = uncountedTerminatedPods ?? {};
  return succeeded.length + failed.length > 0;
}

/** Whether the finalizer of a Pod may go: it has ended, or its end does not matter any more. */
function canRemoveFinalizer(
  { job, indexes }: JobView,
  pod: Pod,
  ending: FinishedCondition | undefined,
): boolean {
  if (job.metadata.deletionTimestamp !== undefined || ending !== undefined) return true;
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
