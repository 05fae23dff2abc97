import type { JobSet, New, Observed } from "@jobset-ts/api";
import type { Job } from "@jobset-ts/api/kubernetes";
import { type JobConstructor, MAX_DESIRED_JOBS } from "../desired/desired-jobs.ts";
import { indexedReplicatedJobs } from "../desired/job-indexes.ts";
import { nameOf } from "../jobset-members.ts";
import type { ClassifiedJobs } from "./classify-jobs.ts";
import { jobNameStem } from "./job-claims.ts";

/**
 * Which Jobs of a JobSet's there are, in whatever state, being deleted included: no Job of such a name can be created.
 */
export interface TakenJobs {
  /** The indexes, below the replicas, that are taken of the names with this stem: `train-workers` of `train-workers-3`. */
  indexesOf(nameStem: string): Pick<ReadonlySet<number>, "has">;
}

/** The Jobs whose names child Jobs hold. */
export function takenJobs(jobSet: Observed<JobSet>, classified: ClassifiedJobs): TakenJobs {
  const replicas = replicasByStem(jobSet);
  const taken = new Map<string, Uint8Array>();
  let [stem, flags]: [string | undefined, Uint8Array] = [undefined, new Uint8Array(0)];
  for (const state of ["active", "successful", "failed", "previous", "unclaimed"] as const) {
    for (const { nameStem, nameIndex } of classified[state]) {
      // Jobs come by name, so that most have the stem of the one before.
      if (nameStem !== stem) {
        stem = nameStem;
        flags = taken.get(stem) ?? new Uint8Array(replicas.get(stem) ?? 0);
        taken.set(stem, flags);
      }
      // There is no flag of what is beyond the replicas, or below zero.
      flags[nameIndex] = 1;
    }
  }
  return {
    indexesOf: (nameStem) => {
      const flags = taken.get(nameStem);
      return { has: (index) => flags?.[index] === 1 };
    },
  };
}

/** How many Jobs can be built of each ReplicatedJob, by the stem of their names. */
function replicasByStem(jobSet: Observed<JobSet>): ReadonlyMap<string, number> {
  const byStem = new Map<string, number>();
  for (const { name, replicas } of indexedReplicatedJobs(jobSet)) {
    const stem = jobNameStem(nameOf(jobSet), name);
    byStem.set(stem, Math.max(byStem.get(stem) ?? 0, buildable(replicas)));
  }
  return byStem;
}

function buildable(replicas: number): number {
  return Math.max(0, Math.min(replicas, MAX_DESIRED_JOBS));
}

/**
 * The Jobs of one ReplicatedJob that do not exist yet, by job index.
 *
 * @param limit - the most Jobs to build; default all
 */
export function missingJobs(
  jobSet: Observed<JobSet>,
  { name, replicas, jobAt }: JobConstructor,
  taken: TakenJobs,
  limit = Number.POSITIVE_INFINITY,
): New<Job>[] {
  const jobs: New<Job>[] = [];
  const indexes = taken.indexesOf(jobNameStem(nameOf(jobSet), name));
  const count = buildable(replicas);
  for (let index = 0; index < count && jobs.length < limit; index++) {
    if (!indexes.has(index)) jobs.push(jobAt(index));
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
