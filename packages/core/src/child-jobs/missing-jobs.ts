import type { JobSet, New, Observed } from "@jobset-ts/api";
import type { Job } from "@jobset-ts/api/kubernetes";
import { type JobConstructor, MAX_DESIRED_JOBS } from "../desired/desired-jobs.ts";
import { nameOf } from "../jobset-members.ts";
import type { ClassifiedJobs } from "./classify-jobs.ts";
import { jobNameStem } from "./job-claims.ts";

/**
 * Which Jobs of a JobSet's there are, in whatever state, being deleted included: no Job of such a name can be created.
 */
export interface TakenJobs {
  /** The indexes that are taken of the names with this stem: `train-workers` of `train-workers-3`. */
  indexesOf(nameStem: string): readonly number[];
}

/** The Jobs whose names child Jobs hold. */
export function takenJobs(classified: ClassifiedJobs): TakenJobs {
  const taken = new Map<string, number[]>();
  let [stem, indexes]: [string | undefined, number[]] = [undefined, []];
  for (const state of ["active", "successful", "failed", "previous", "unclaimed"] as const) {
    for (const { nameStem, nameIndex } of classified[state]) {
      // Jobs come by name, so that most have the stem of the one before.
      if (nameStem !== stem) {
        stem = nameStem;
        indexes = taken.get(stem) ?? [];
        taken.set(stem, indexes);
      }
      indexes.push(nameIndex);
    }
  }
  return { indexesOf: (nameStem) => taken.get(nameStem) ?? [] };
}

/**
 * The Jobs of one ReplicatedJob that do not exist yet, by job index.
 *
 * @param limit - the most Jobs to build; default all
 */
export function missingJobs(
  jobSet: Observed<JobSet>,
  replicatedJob: JobConstructor,
  taken: TakenJobs,
  limit = Number.POSITIVE_INFINITY,
): New<Job>[] {
  const { name, replicas, jobAt } = replicatedJob;
  const jobs: New<Job>[] = [];
  const isTaken = new Uint8Array(Math.max(0, Math.min(replicas, MAX_DESIRED_JOBS)));
  for (const index of taken.indexesOf(jobNameStem(nameOf(jobSet), name))) {
    if (index >= 0 && index < isTaken.length) isTaken[index] = 1;
  }
  for (let index = 0; index < isTaken.length && jobs.length < limit; index++) {
    if (isTaken[index] === 0) jobs.push(jobAt(index));
  }
  return jobs;
}

/**
 * Whether the restart strategy holds back all creation: `BlockingRecreate` waits until the Jobs of earlier
 * restart attempts are gone.
 */
export function creationIsBlocked(jobSet: Observed<JobSet>, { previous }: ClassifiedJobs): boolean {
  return previous.length > 0 && jobSet?.spec?.failurePolicy?.restartStrategy === "BlockingRecreate";
}
