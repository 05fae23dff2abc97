import { featuresOf, type JobSet, type Observed } from "@jobset-ts/api";
import type { Job } from "@jobset-ts/api/kubernetes";
import { compareBytes } from "@jobset-ts/api/text";
import {
  childJobOf,
  classifyJobs,
  creationIsBlocked,
  missingJobs,
  takenJobs,
} from "@jobset-ts/core/child-jobs";
import { isChildJob, jobConstructors, MAX_DESIRED_JOBS } from "@jobset-ts/core/desired";
import type { Family, Replayed } from "./family.ts";
import { recordedInput } from "./recorded-input.ts";

interface Input {
  readonly jobset: Observed<JobSet>;
  /** All Jobs that upstream listed, in no order; not all are children of the JobSet. */
  readonly jobs: readonly Observed<Job>[];
  readonly features?: Readonly<Record<string, boolean>>;
}

/**
 * The Jobs that a pass would create if nothing held them back but the restart strategy: those that do not exist,
 * in spec order, then by index.
 *
 * The output is `jobs`, or `error` with the text of the first Job, by name, that cannot be classified.
 */
export const jobsConstruct: Family = { family: "jobs.construct", replay };

function replay(recorded: unknown): Replayed {
  const { jobset, jobs, features = {} } = recordedInput<Input>(recorded, ["jobset", "jobs"]);
  const context = { features: featuresOf(features) };
  const children = jobs
    .filter((job) => isChildJob(job, jobset))
    .toSorted((left, right) => compareBytes(left.metadata?.name ?? "", right.metadata?.name ?? ""));
  const classified = classifyJobs(
    jobset,
    children.map((child) => childJobOf(child)),
    context,
  );
  if (!classified.ok) return { output: { error: classified.message } };
  if (creationIsBlocked(jobset, classified)) return { output: { jobs: [] } };
  const taken = takenJobs(classified);
  const missing = jobConstructors(jobset, context).flatMap((replicatedJob) =>
    missingJobs(jobset, replicatedJob, taken, MAX_DESIRED_JOBS),
  );
  return { output: { jobs: missing } };
}
