import type { EpochMillis } from "@jobset-ts/api";
import { getAnnotation, type Job, type Pod } from "@jobset-ts/api/kubernetes";
import {
  INDEX_FAILURES_KEY,
  INDEX_IGNORED_FAILURES_KEY,
} from "../api-server/job/batch-constants.ts";
import { countsTowardsLimits } from "./pod-failure-policy.ts";
import { getFinishTime } from "./pod-state.ts";

/** The number of Pod failures since the last success. The controller loses it when it restarts. */
export interface BackOff {
  readonly failures: number;
  readonly lastFailedAt: EpochMillis;
}

export const NO_BACK_OFF: BackOff = { failures: 0, lastFailedAt: 0 };

const INITIAL_BACK_OFF_MS = 10_000;
const MAX_BACK_OFF_MS = 600_000;

/** Returns the back-off after more Pods have finished. A success resets it, so only later failures count. */
export function updateBackOff(
  backOff: BackOff,
  succeeded: readonly Pod[],
  failed: readonly Pod[],
): BackOff {
  if (succeeded.length === 0 && failed.length === 0) return backOff;
  const lastSuccess = Math.max(...succeeded.map(getFinishTime));
  const failures = failed.map(getFinishTime).filter((at) => at > lastSuccess);
  const before = succeeded.length === 0 ? backOff : NO_BACK_OFF;
  return {
    failures: before.failures + failures.length,
    lastFailedAt: Math.max(before.lastFailedAt, ...failures),
  };
}

/** Returns for how many milliseconds no Pod is created. */
export function getRemainingBackOff({ failures, lastFailedAt }: BackOff, now: EpochMillis): number {
  if (failures === 0) return 0;
  const pause = Math.min(INITIAL_BACK_OFF_MS * 2 ** (failures - 1), MAX_BACK_OFF_MS);
  const elapsed = now - lastFailedAt;
  return elapsed < 0 || elapsed >= pause ? 0 : pause - elapsed;
}

/** Returns for how many milliseconds a failed Pod is not replaced, if each index has its own back-off limit. */
export function getRemainingIndexBackOff(failed: Pod, now: EpochMillis): number {
  const failures = getIndexFailures(failed) + getIgnoredIndexFailures(failed) + 1;
  return getRemainingBackOff({ failures, lastFailedAt: getFinishTime(failed) }, now);
}

/** Returns how many counted failures of its index came before this Pod. */
export function getIndexFailures(pod: Pod): number {
  return Number(getAnnotation(pod, INDEX_FAILURES_KEY) ?? 0);
}

export function getIgnoredIndexFailures(pod: Pod): number {
  return Number(getAnnotation(pod, INDEX_IGNORED_FAILURES_KEY) ?? 0);
}

/** Returns the annotations of a new Pod, which count the failures of its index so far. */
export function createIndexFailureAnnotations(job: Job, replaced: Pod | undefined) {
  let [failures, ignored] = [0, 0];
  if (replaced !== undefined) {
    const isCountedNow = countsTowardsLimits(job, replaced);
    failures = getIndexFailures(replaced) + (isCountedNow ? 1 : 0);
    ignored = getIgnoredIndexFailures(replaced) + (isCountedNow ? 0 : 1);
  }
  return {
    [INDEX_FAILURES_KEY]: String(failures),
    ...(ignored > 0 && { [INDEX_IGNORED_FAILURES_KEY]: String(ignored) }),
  };
}
