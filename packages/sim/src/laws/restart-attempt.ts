import {
  getRestarts,
  type JobSet,
  type JobSetStatus,
  parseIntegerLabel,
  type Unvalidated,
} from "@jobset-ts/api";
import {
  JOB_INDEX_KEY,
  JOB_RESTART_ATTEMPT_KEY,
  REPLICATED_JOB_NAME_KEY,
  RESTART_ATTEMPT_KEY,
} from "@jobset-ts/api/keys";
import { asArray, asInteger, getLabel, type Job } from "@jobset-ts/api/kubernetes";
import type { Snapshot } from "@jobset-ts/core";
import { getStatusEntries } from "./jobset-facts.ts";
import { memoizeBy } from "./memoize-by.ts";

/** The restart attempt of a Job: both counters. */
export interface Attempt {
  /** The restarts of the JobSet. */
  readonly restarts: number;
  /** The restarts of the Job alone. */
  readonly jobRestarts: number;
}

/** Returns the attempt in the labels of a Job. */
export const getAttempt = memoizeBy(
  (job: Job): Attempt => ({
    restarts: labelNumber(job, RESTART_ATTEMPT_KEY),
    jobRestarts: labelNumber(job, JOB_RESTART_ATTEMPT_KEY),
  }),
);

function labelNumber(job: Job, key: string): number {
  const parsed = parseIntegerLabel(getLabel(job, key));
  return parsed.ok ? parsed.value : 0;
}

/** Returns the attempt in a JobSet's status for the position of this Job. */
export function getCurrentAttempt(jobSet: JobSet, job: Job): Attempt {
  const entry = getStatusEntries(jobSet).get(getLabel(job, REPLICATED_JOB_NAME_KEY) ?? "");
  const index = labelNumber(job, JOB_INDEX_KEY);
  return {
    restarts: getRestarts(jobSet),
    jobRestarts: asInteger(asArray(entry?.jobRestarts)[index], 0),
  };
}

/** Returns the child Jobs of the current attempt that a pass sees, including those that the JobSet does not request. */
export function getCurrentJobs(jobSet: JobSet, snapshot: Snapshot): readonly Job[] {
  const jobs = snapshot.childJobs(jobSet as Unvalidated<JobSet>) as readonly Job[];
  return jobs.filter((job) => !isEarlier(getAttempt(job), getCurrentAttempt(jobSet, job)));
}

/** Reports whether one attempt is earlier than another. */
export function isEarlier(one: Attempt, other: Attempt): boolean {
  return one.restarts < other.restarts || one.jobRestarts < other.jobRestarts;
}

export function sameAttempt(one: Attempt, other: Attempt): boolean {
  return one.restarts === other.restarts && one.jobRestarts === other.jobRestarts;
}

export function attemptText({ restarts, jobRestarts }: Attempt): string {
  return jobRestarts === 0
    ? `attempt ${restarts}`
    : `attempt ${restarts}, job attempt ${jobRestarts}`;
}

/** Returns the number of all restarts: those of the JobSet and of individual Jobs. */
export function countRestarts(status: JobSetStatus | null | undefined): number {
  return asArray(status?.replicatedJobsStatus)
    .flatMap(({ jobRestarts }) => asArray(jobRestarts))
    .reduce((sum, count) => sum + count, status?.restarts ?? 0);
}

/**
 * Returns the number of restarts that count towards the limit: those of the JobSet and of individual
 * Jobs.
 */
export function countLimitedRestarts(status: JobSetStatus | undefined): number {
  const single = asArray(status?.replicatedJobsStatus).flatMap(({ jobRestartsCountTowardsMax }) =>
    asArray(jobRestartsCountTowardsMax),
  );
  return single.reduce((sum, count) => sum + count, status?.restartsCountTowardsMax ?? 0);
}
