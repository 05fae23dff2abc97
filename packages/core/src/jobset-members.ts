// How the members of a JobSet and of a Job are read when they are absent or, in an object that no server
// has checked, of the wrong type: the same as absent.
import type { JobSet, Observed, ReplicatedJob } from "@jobset-ts/api";
import { isObject, type Job, listOf } from "@jobset-ts/api/kubernetes";

export {
  annotationOf,
  isObject,
  labelOf,
  listOf,
  membersOf,
  nameOf,
  namespaceOf,
  textOf,
  uidOf,
} from "@jobset-ts/api/kubernetes";

/** A whole number; anything else is `otherwise`. */
export function integerOf(value: number | undefined, otherwise: number): number {
  return Number.isSafeInteger(value) ? (value as number) : otherwise;
}

/** `spec.replicatedJobs`, without elements that are no objects. */
export function replicatedJobsOf(jobSet: Observed<JobSet>): readonly Observed<ReplicatedJob>[] {
  return listOf(jobSet?.spec?.replicatedJobs).filter(isObject);
}

/** How many Jobs a ReplicatedJob has: 1 when absent, as the CRD defaults it; an explicit 0 stays 0. */
export function replicasOf(replicatedJob: Observed<ReplicatedJob>): number {
  return integerOf(replicatedJob.replicas, 1);
}

/** Whether the Jobs are to be suspended; absent means no. */
export function isSuspended(object: Observed<JobSet> | Observed<Job>): boolean {
  return object?.spec?.suspend === true;
}

/** The current restart attempt: `status.restarts`, 0 when absent. */
export function restartsOf(jobSet: Observed<JobSet>): number {
  return integerOf(jobSet?.status?.restarts, 0);
}
