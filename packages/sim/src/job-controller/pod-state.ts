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

/** Whether a Pod still runs or may come to run. */
export function isActive(pod: Pod): boolean {
  return !isPodFinished(pod) && pod.metadata.deletionTimestamp === undefined;
}

/** Whether a Pod is being stopped. */
export function isTerminating(pod: Pod): boolean {
  return !isPodFinished(pod) && pod.metadata.deletionTimestamp !== undefined;
}

export function hasSucceeded({ status }: Pod): boolean {
  return status?.phase === "Succeeded";
}

/** Whether a Pod counts as failed, as soon as it is being deleted where its Job replaces it then. */
export function hasFailed(pod: Pod, job: Job): boolean {
  if (pod.status?.phase === "Failed") return true;
  if (onlyReplacesFailed(job)) return false;
  return pod.metadata.deletionTimestamp !== undefined && !hasSucceeded(pod);
}

/** Whether a Job waits with the replacement of a Pod until that has ended. */
export function onlyReplacesFailed({ spec }: Job): boolean {
  return spec.podReplacementPolicy === "Failed" || spec.podFailurePolicy !== undefined;
}

export function isReady({ status }: Pod): boolean {
  return isConditionTrue(status?.conditions, "Ready");
}

/** Whether a Pod's end is still to be counted. */
export function hasTrackingFinalizer({ metadata }: Pod): boolean {
  return metadata.finalizers?.includes(TRACKING_FINALIZER) ?? false;
}

/** The completion index of a Pod; none where it has none, or one that its Job does not have. */
export function getIndex(pod: Pod, { spec }: Job): number | undefined {
  const written = getAnnotation(pod, JOB_COMPLETION_INDEX_KEY);
  if (written === undefined) return undefined;
  const index = Number(written);
  return Number.isSafeInteger(index) && index < (spec.completions ?? 0) ? index : undefined;
}

export function isIndexed({ spec }: Job): boolean {
  return spec.completionMode === "Indexed";
}

/** Returns when a Pod finished, in whole seconds. For an unfinished Pod, the time of its deletion or creation. */
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
