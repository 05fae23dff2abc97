// What is read of a JobSet and of a Job everywhere, also where a member is absent or, in an object that no server has
// checked, of the wrong type: the same as absent.
import type { Job } from "./job.ts";
import type { JobSet, ReplicatedJob } from "./jobset.ts";
import { integerOf, isObject, listOf } from "./members.ts";
import type { Observed } from "./observed.ts";

/**
 * `spec.replicatedJobs`, without elements that are no objects.
 *
 * @example replicatedJobsOf({ spec: { replicatedJobs: [{ name: "workers" }] } }).map(({ name }) => name) // => ["workers"]
 */
export function replicatedJobsOf(jobSet: Observed<JobSet>): readonly Observed<ReplicatedJob>[] {
  const listed = listOf(jobSet?.spec?.replicatedJobs);
  // Asked many times a pass, and to make another list of a frozen one takes ten times as long as to look at it.
  for (const replicatedJob of listed) {
    if (!isObject(replicatedJob)) return listed.filter(isObject);
  }
  return listed;
}

/**
 * How many Jobs a ReplicatedJob has: 1 when absent, as the CRD defaults it; an explicit 0 stays 0.
 *
 * @example replicasOf({ name: "workers" }) // => 1
 */
export function replicasOf(replicatedJob: Observed<ReplicatedJob>): number {
  return integerOf(replicatedJob?.replicas, 1);
}

/**
 * Whether a Job, or all Jobs of a JobSet, are to be suspended; absent means no.
 *
 * @example isSuspended({ spec: {} }) // => false
 */
export function isSuspended(object: Observed<JobSet> | Observed<Job> | undefined): boolean {
  return object?.spec?.suspend === true;
}

/**
 * The current restart attempt: `status.restarts`, 0 when absent.
 *
 * @example restartsOf({ status: { restarts: 2 } }) // => 2
 */
export function restartsOf(jobSet: Observed<JobSet>): number {
  return integerOf(jobSet?.status?.restarts, 0);
}
