import { parseTime } from "@jobset-ts/api";
import { asInteger } from "@jobset-ts/api/kubernetes";
import { isFailing } from "../../checks/pods/pod-checks.ts";
import { type Age, ageOf } from "../../view/age.ts";
import { getContainers, getEnd } from "../../view/containers.ts";
import type { JobView } from "../../view/jobset-view.ts";
import type { MemberPod } from "../../view/member-pod.ts";
import { memoizeByObject } from "../../view/memoize.ts";
import type { PodInJob } from "../../view/pod-view.ts";

/** Failures of a Job after which the next Pod will probably fail, too. */
const MAX_NORMAL_FAILURES = 2;

/** The Job controller waits 10 s after the first failure, and twice as long after each further one. */
const BACKOFF_SECONDS = 10;

/**
 * Returns the age of the end of a Pod, after which the Job controller creates another one. The end is normal while a
 * replacement exists or the back-off of the Job lasts, unless its Pods have failed several times.
 *
 * @param endedAt - RFC 3339 text
 * @param isDisrupted - whether something other than the containers ended the Pod, so that the next one may succeed
 */
export function ageOfFailure(view: PodInJob, endedAt: unknown, isDisrupted = false): Age {
  const { job, jobSet } = view;
  const failures = countFailures(job);
  const isRepeated = !isDisrupted && failures > MAX_NORMAL_FAILURES;
  const backoff = BACKOFF_SECONDS * 2 ** Math.min(Math.max(failures - 1, 0), MAX_NORMAL_FAILURES);
  const age = ageOf(jobSet, endedAt, backoff + jobSet.thresholds.reconcileSeconds);
  if (isFailing(job)) return { ...age, status: "Waiting" };
  if (isRepeated || age.since === undefined) return { ...age, status: "Stuck" };
  return hasReplacement(view) ? { ...age, status: "Progressing" } : age;
}

/** Returns how many Pods of a Job have failed. The Job does not count the failures that its podFailurePolicy ignores. */
function countFailures({ job, numbers }: PodInJob["job"]): number {
  return Math.max(asInteger(job?.status?.failed, 0), numbers.byPhase.Failed);
}

/**
 * Reports whether a failed Pod has a successor that will probably fail, too, although it is ready now: several Pods
 * have failed, each after a short time, and the successor has not run for longer yet.
 */
export function failsAgain({ job, jobSet, pod }: PodInJob): boolean {
  if (countFailures(job) <= MAX_NORMAL_FAILURES) return false;
  const createdAt = getCreation(pod);
  const { latest, before } = latestOf(job).get(pod.completionIndex) ?? {};
  // Only the last failure has a successor that is active.
  if (!latest?.isActive || getCreation(latest) <= createdAt) return false;
  if (before !== undefined && getCreation(before) > createdAt) return false;
  const endedAt = getContainers(pod).reduce(
    (last, one) => Math.max(last, parseTime(getEnd(one)?.finishedAt) ?? 0),
    0,
  );
  const run = endedAt - createdAt;
  const { podReadySeconds } = jobSet.thresholds;
  return run < podReadySeconds * 1000 && jobSet.now - getCreation(latest) < run;
}

/** Reports whether a later Pod of the Job is active: one with the same index, if the Job has indexes. */
function hasReplacement({ job, pod }: PodInJob): boolean {
  const { active } = latestOf(job).get(pod.completionIndex) ?? {};
  return active !== undefined && getCreation(active) > getCreation(pod);
}

interface LatestPods {
  readonly latest?: MemberPod;
  /** The Pod before the latest one. */
  readonly before?: MemberPod | undefined;
  readonly active?: MemberPod | undefined;
}

/** The latest Pods of each index. A Job may have thousands of failed Pods. */
const latestOf = /* @__PURE__ */ memoizeByObject(({ pods }: JobView) => {
  const byIndex = new Map<number | undefined, LatestPods>();
  for (const pod of [...pods].sort((one, other) => getCreation(one) - getCreation(other))) {
    const { latest, active } = byIndex.get(pod.completionIndex) ?? {};
    byIndex.set(pod.completionIndex, {
      latest: pod,
      before: latest,
      active: pod.isActive ? pod : active,
    });
  }
  return byIndex;
});

function getCreation({ pod }: MemberPod): number {
  return parseTime(pod.metadata?.creationTimestamp) ?? Number.MAX_SAFE_INTEGER;
}
