import { parseTime } from "@jobset-ts/api";
import { asInteger } from "@jobset-ts/api/kubernetes";
import { isFailing } from "../../checks/pods/pod-checks.ts";
import { type Age, ageOf } from "../../view/age.ts";
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
  const failures = asInteger(job.job?.status?.failed, 0);
  const isRepeated = !isDisrupted && failures > MAX_NORMAL_FAILURES;
  const backoff = BACKOFF_SECONDS * 2 ** Math.min(Math.max(failures - 1, 0), MAX_NORMAL_FAILURES);
  const age = ageOf(jobSet, endedAt, backoff + jobSet.thresholds.reconcileSeconds);
  if (isFailing(job)) return { ...age, status: "Waiting" };
  if (isRepeated || age.since === undefined) return { ...age, status: "Stuck" };
  return hasReplacement(view) ? { ...age, status: "Progressing" } : age;
}

/** Reports whether a later Pod of the Job is active: one with the same index, if the Job has indexes. */
function hasReplacement({ job, pod }: PodInJob): boolean {
  const createdAt = parseTime(pod.pod.metadata?.creationTimestamp) ?? Number.POSITIVE_INFINITY;
  return job.pods.some(
    (one) =>
      one.isActive &&
      one.completionIndex === pod.completionIndex &&
      (parseTime(one.pod.metadata?.creationTimestamp) ?? 0) > createdAt,
  );
}
