// Accessors for members of JobSets and Jobs. An absent member, and one of the wrong type in an unvalidated object, read
// as the default.
import type { Job } from "./job.ts";
import type { JobSet, ReplicatedJob } from "./jobset.ts";
import { asArray, asInteger, isObject } from "./members.ts";
import type { Unvalidated } from "./unvalidated.ts";

/**
 * Returns the elements of `spec.replicatedJobs` that are objects.
 *
 * @example getReplicatedJobs({ spec: { replicatedJobs: [{ name: "workers" }] } }).map(({ name }) => name) // => ["workers"]
 */
export function getReplicatedJobs(
  jobSet: Unvalidated<JobSet>,
): readonly Unvalidated<ReplicatedJob>[] {
  const listed = asArray(jobSet?.spec?.replicatedJobs);
  // Called many times per pass. Copying a frozen list takes ten times as long as reading it.
  for (const replicatedJob of listed) {
    if (!isObject(replicatedJob)) return listed.filter(isObject);
  }
  return listed;
}

/**
 * Returns the number of Jobs of a ReplicatedJob. Absent means 1, the CRD's default. An explicit 0 counts
 * as 0.
 *
 * @example getReplicas({ name: "workers" }) // => 1
 */
export function getReplicas(replicatedJob: Unvalidated<ReplicatedJob>): number {
  return asInteger(replicatedJob?.replicas, 1);
}

/**
 * Reports whether a Job, or all Jobs of a JobSet, are suspended. Absent means no.
 *
 * @example isSuspended({ spec: {} }) // => false
 */
export function isSuspended(object: Unvalidated<JobSet> | Unvalidated<Job> | undefined): boolean {
  return object?.spec?.suspend === true;
}

/**
 * Returns the current restart attempt: `status.restarts`, or 0 if absent.
 *
 * @example getRestarts({ status: { restarts: 2 } }) // => 2
 */
export function getRestarts(jobSet: Unvalidated<JobSet>): number {
  return asInteger(jobSet?.status?.restarts, 0);
}
