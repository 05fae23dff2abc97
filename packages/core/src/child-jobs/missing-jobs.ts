import type { JobSet, Unvalidated } from "@jobset-ts/api";
import type { JobFactory } from "../desired/desired-jobs.ts";
import { MAX_DESIRED_JOBS } from "../desired/size-limits.ts";
import { getName } from "../jobset-members.ts";
import type { JobGroup } from "../snapshot/child-jobs.ts";
import type { ClassifiedJobs } from "./classify-jobs.ts";
import { jobNameStem } from "./job-claims.ts";

/** The existing Jobs of a JobSet in any state, including deletion. A Job with one of their names cannot be created. */
export interface ExistingJobNames {
  /** Returns the Jobs whose names have this stem: `train-workers` of `train-workers-3`. */
  groups(nameStem: string): readonly JobGroup[];
}

/** Returns the names of the existing child Jobs. */
export function existingJobNames(classified: ClassifiedJobs): ExistingJobNames {
  const jobsByStem = new Map<string, JobGroup[]>();
  let [stem, groups]: [string | undefined, JobGroup[]] = [undefined, []];
  for (const state of ["active", "successful", "failed", "previous", "unclaimed"] as const) {
    for (const group of classified[state].groups) {
      // Jobs are sorted by name, so most have the same stem as those before.
      if (group.traits.nameStem !== stem) {
        stem = group.traits.nameStem;
        groups = jobsByStem.get(stem) ?? [];
        jobsByStem.set(stem, groups);
      }
      groups.push(group);
    }
  }
  return { groups: (nameStem) => jobsByStem.get(nameStem) ?? [] };
}

/** Returns the indexes of the Jobs of one ReplicatedJob that do not exist yet. */
export function missingIndexes(
  jobSet: Unvalidated<JobSet>,
  { name, replicas }: Pick<JobFactory, "name" | "replicas">,
  existing: ExistingJobNames,
): number[] {
  // A ReplicatedJob above the limit gets no Jobs at all.
  const desired = replicas > MAX_DESIRED_JOBS ? 0 : Math.max(0, replicas);
  const groups = existing.groups(jobNameStem(getName(jobSet), name));
  if (areAll(groups, desired)) return [];
  const isTaken = new Uint8Array(desired);
  for (const group of groups) {
    for (const { nameIndex } of group.jobs) {
      if (nameIndex >= 0 && nameIndex < desired) isTaken[nameIndex] = 1;
    }
  }
  const indexes: number[] = [];
  for (let index = 0; index < desired; index++) {
    if (isTaken[index] === 0) indexes.push(index);
  }
  return indexes;
}

/** Reports whether Jobs have all indexes from 0 up to the desired number, each once. */
function areAll(groups: readonly JobGroup[], desired: number): boolean {
  let count = 0;
  for (const { jobs, lowestIndex, highestIndex } of groups) {
    if (lowestIndex < 0 || highestIndex >= desired) return false;
    count += jobs.length;
  }
  return count === desired;
}

/**
 * Reports whether the restart strategy blocks all creation: `BlockingRecreate` waits until the Jobs of earlier
 * restart attempts are gone.
 */
export function isCreationBlocked(
  jobSet: Unvalidated<JobSet>,
  { previous }: ClassifiedJobs,
): boolean {
  return previous.size > 0 && jobSet?.spec?.failurePolicy?.restartStrategy === "BlockingRecreate";
}
