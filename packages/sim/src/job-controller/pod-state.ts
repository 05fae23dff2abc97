import { type EpochMillis, parseTime } from "@jobset-ts/api";
import { JOB_COMPLETION_INDEX_KEY } from "@jobset-ts/api/keys";
import {
  asArray,
  findCondition,
  getAnnotation,
  type Job,
  type Pod,
} from "@jobset-ts/api/kubernetes";
import { isConditionTrue } from "../api-server/conditions.ts";
import { TRACKING_FINALIZER } from "../api-server/job/batch-constants.ts";
import { isPodFinished } from "../api-server/pod-conditions.ts";

/** Returns whether a Pod runs or can still start. */
export function isActive(pod: Pod): boolean {
  return !isPodFinished(pod) && pod.metadata.deletionTimestamp === undefined;
}

/** Returns whether a Pod is being deleted but has not finished. */
export function isTerminating(pod: Pod): boolean {
  return !isPodFinished(pod) && pod.metadata.deletionTimestamp !== undefined;
}

export function hasSucceeded({ status }: Pod): boolean {
  return status?.phase === "Succeeded";
}

/** Returns whether a Pod counts as failed. A terminating Pod does, if its Job replaces terminating Pods. */
export function hasFailed(pod: Pod, job: Job): boolean {
  if (pod.status?.phase === "Failed") return true;
  if (replacesOnlyFinishedPods(job)) return false;
  return pod.metadata.deletionTimestamp !== undefined && !hasSucceeded(pod);
}

/** Returns whether a Job replaces a Pod only after it has finished. */
export function replacesOnlyFinishedPods({ spec }: Job): boolean {
  return spec.podReplacementPolicy === "Failed" || spec.podFailurePolicy !== undefined;
}

export function isReady({ status }: Pod): boolean {
  return isConditionTrue(status?.conditions, "Ready");
}

/** Returns whether a Pod has the tracking finalizer. */
export function hasTrackingFinalizer({ metadata }: Pod): boolean {
  return metadata.finalizers?.includes(TRACKING_FINALIZER) ?? false;
}

/** Returns the completion index of a Pod. `undefined` if it is absent or out of range. */
export function getIndex(pod: Pod, { spec }: Job): number | undefined {
  const written = getAnnotation(pod, JOB_COMPLETION_INDEX_KEY);
  if (written === undefined) return undefined;
  const index = Number(written);
  return Number.isSafeInteger(index) && index < (spec.completions ?? 0) ? index : undefined;
}

export function isIndexed({ spec }: Job): boolean {
  return spec.completionMode === "Indexed";
}

/**
 * Returns when a Pod finished, in whole seconds. For an unfinished Pod, returns the time of its deletion or creation.
 */
export function getFinishTime(pod: Pod): EpochMillis {
  const { metadata, status } = pod;
  const ends = asArray(status?.containerStatuses).map(({ state }) =>
    parseTime(state?.terminated?.finishedAt),
  );
  if (ends.length > 0 && ends.every((end) => end !== undefined)) return Math.max(...ends);
  const ready = findCondition(status?.conditions, "Ready");
  const unready = ready?.status === "False" ? parseTime(ready.lastTransitionTime) : undefined;
  if (unready !== undefined) return unready;
  const deletion = parseTime(metadata.deletionTimestamp);
  if (deletion !== undefined) return deletion - (metadata.deletionGracePeriodSeconds ?? 0) * 1000;
  return parseTime(metadata.creationTimestamp) ?? 0;
}
