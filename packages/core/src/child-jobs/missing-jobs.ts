import type { JobSet, New, Observed } from "@jobset-ts/api";
import { jobName } from "@jobset-ts/api";
import type { Job } from "@jobset-ts/api/kubernetes";
import type { JobConstructor } from "../desired/desired-jobs.ts";
import { nameOf } from "../jobset-members.ts";
import type { ClassifiedJobs } from "./classify-jobs.ts";

/**
 * The names that child Jobs of a JobSet hold, in whatever state, being deleted included. No Job of such a name
 * can be created.
 */
export function takenJobNames(classified: ClassifiedJobs): ReadonlySet<string> {
  const taken = new Set<string>();
  for (const bucket of ["active", "successful", "failed", "previous"] as const) {
    for (const job of classified[bucket]) taken.add(nameOf(job));
  }
  return taken;
}

/**
 * The Jobs of one ReplicatedJob that do not exist yet, by job index.
 *
 * @param taken - see {@link takenJobNames}
 * @param limit - the most Jobs to build; default all
 */
export function missingJobs(
  jobSet: Observed<JobSet>,
  replicatedJob: JobConstructor,
  taken: ReadonlySet<string>,
  limit = Number.POSITIVE_INFINITY,
): New<Job>[] {
  const jobs: New<Job>[] = [];
  const jobSetName = nameOf(jobSet);
  for (let index = 0; index < replicatedJob.replicas && jobs.length < limit; index++) {
    if (!taken.has(jobName(jobSetName, replicatedJob.name, index))) {
      jobs.push(replicatedJob.jobAt(index));
    }
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
