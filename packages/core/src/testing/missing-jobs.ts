import type { JobSet, ToCreate, Unvalidated } from "@jobset-ts/api";
import type { Job } from "@jobset-ts/api/kubernetes";
import type { ClassifiedJobs } from "../child-jobs/classify-jobs.ts";
import { existingJobNames, isCreationBlocked, missingIndexes } from "../child-jobs/missing-jobs.ts";
import type { DesiredContext } from "../desired/child-labels.ts";
import { createJobFactories } from "../desired/desired-jobs.ts";
import { jobCount } from "../desired/job-indexes.ts";
import { MAX_DESIRED_JOBS } from "../desired/size-limits.ts";

/**
 * Returns the Jobs that a pass creates if only the restart strategy can delay them: those that do not exist yet, in the
 * order of the spec, then by job index.
 *
 * @param classified - the child Jobs from `classifyJobs`
 * @returns no Jobs for a JobSet that is larger than `MAX_DESIRED_JOBS`
 */
export function missingJobs(
  jobSet: Unvalidated<JobSet>,
  classified: ClassifiedJobs,
  context: DesiredContext,
): ToCreate<Job>[] {
  if (isCreationBlocked(jobSet, classified) || jobCount(jobSet) > MAX_DESIRED_JOBS) return [];
  const existing = existingJobNames(classified);
  return createJobFactories(jobSet, context).flatMap((replicatedJob) =>
    missingIndexes(jobSet, replicatedJob, existing).map(replicatedJob.jobAt),
  );
}
