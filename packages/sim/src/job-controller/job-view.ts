import { asArray, getUid, type Job, type Pod } from "@jobset-ts/api/kubernetes";
import { type IndexSet, parseIndexes } from "../api-server/job/index-set.ts";
import { getIgnoredIndexFailures, getIndexFailures } from "./back-off.ts";
import { countsTowardsLimits, matchPodFailurePolicy } from "./pod-failure-policy.ts";
import {
  getIndex,
  hasFailed,
  hasSucceeded,
  hasTrackingFinalizer,
  isActive,
  isIndexed,
  isReady,
  isTerminating,
} from "./pod-state.ts";

/** A Job and its Pods at the start of a sync, classified and counted. */
export interface JobView {
  readonly job: Job;
  readonly pods: readonly Pod[];
  readonly active: readonly Pod[];
  readonly terminatingCount: number;
  readonly readyCount: number;
  /** Finished Pods that are not counted or recorded yet. */
  readonly newlySucceeded: readonly Pod[];
  readonly newlyFailed: readonly Pod[];
  /** The Pods of `status.uncountedTerminatedPods`, which the next flush counts. */
  readonly uncounted: UncountedPods;
  /** Includes succeeded Pods that are not in the status yet. */
  readonly succeededCount: number;
  readonly failedCount: number;
  /** Only for an Indexed Job. */
  readonly indexes?: IndexView;
}

export interface UncountedPods {
  readonly succeeded: ReadonlySet<string>;
  readonly failed: ReadonlySet<string>;
}

export interface IndexView {
  /** The indexes in the status. */
  readonly succeededBefore: IndexSet;
  readonly succeeded: IndexSet;
  /** Only if each index has its own back-off limit. */
  readonly failed?: IndexSet;
  /** By index, the failed Pod that has no replacement yet. It keeps its finalizer until then. */
  readonly unreplaced: ReadonlyMap<number, Pod>;
}

export function createView(job: Job, pods: readonly Pod[]): JobView {
  const { status = {} } = job;
  const active = pods.filter(isActive);
  const uncounted = {
    succeeded: new Set(asArray(status.uncountedTerminatedPods?.succeeded) as readonly string[]),
    failed: new Set(asArray(status.uncountedTerminatedPods?.failed) as readonly string[]),
  };
  const isNew = (pod: Pod, known: ReadonlySet<string>) =>
    hasTrackingFinalizer(pod) &&
    !known.has(getUid(pod)) &&
    (!isIndexed(job) || getIndex(pod, job) !== undefined);
  const newlySucceeded = pods.filter((pod) => hasSucceeded(pod) && isNew(pod, uncounted.succeeded));
  const newlyFailed = pods.filter((pod) => hasFailed(pod, job) && isNew(pod, uncounted.failed));
  const indexes = isIndexed(job) ? getIndexView(job, pods, active) : undefined;
  return {
    job,
    pods,
    active,
    terminatingCount: pods.filter(isTerminating).length,
    readyCount: active.filter(isReady).length,
    newlySucceeded,
    newlyFailed,
    uncounted,
    succeededCount:
      indexes?.succeeded.size ??
      (status.succeeded ?? 0) + newlySucceeded.length + uncounted.succeeded.size,
    failedCount:
      (status.failed ?? 0) +
      newlyFailed.filter((pod) => countsTowardsLimits(job, pod)).length +
      uncounted.failed.size,
    ...(indexes !== undefined && { indexes }),
  };
}

function getIndexView(job: Job, pods: readonly Pod[], active: readonly Pod[]): IndexView {
  const { spec, status = {} } = job;
  const completions = spec.completions ?? 0;
  const succeededBefore = parseIndexes(status.completedIndexes, completions);
  const succeeded = new Set(succeededBefore);
  for (const pod of pods) {
    const index = getIndex(pod, job);
    if (index !== undefined && hasSucceeded(pod) && hasTrackingFinalizer(pod)) succeeded.add(index);
  }
  if (spec.backoffLimitPerIndex === undefined) {
    return { succeededBefore, succeeded, unreplaced: new Map() };
  }
  const failed = parseIndexes(status.failedIndexes, completions);
  const finishedPods = pods.filter((pod) => hasFailed(pod, job) && hasTrackingFinalizer(pod));
  for (const pod of finishedPods) {
    const index = getIndex(pod, job);
    if (index !== undefined && isLastIndexFailure(job, pod)) failed.add(index);
  }
  const settled = new Set([...succeeded, ...failed, ...active.map((pod) => getIndex(pod, job))]);
  const unreplaced = new Map<number, Pod>();
  for (const pod of finishedPods) {
    const index = getIndex(pod, job);
    if (index === undefined || settled.has(index)) continue;
    const known = unreplaced.get(index);
    if (known === undefined || countFailuresUpTo(known) < countFailuresUpTo(pod))
      unreplaced.set(index, pod);
  }
  return { succeededBefore, succeeded, failed, unreplaced };
}

/** Returns whether the failure of a Pod exhausts the back-off limit of its index. */
function isLastIndexFailure(job: Job, pod: Pod): boolean {
  if (matchPodFailurePolicy(job, pod).action === "FailIndex") return true;
  return (
    countsTowardsLimits(job, pod) && getIndexFailures(pod) >= (job.spec.backoffLimitPerIndex ?? 0)
  );
}

function countFailuresUpTo(pod: Pod): number {
  return getIndexFailures(pod) + getIgnoredIndexFailures(pod);
}
