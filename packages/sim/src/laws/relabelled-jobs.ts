import { type JobSet, parseIntegerLabel, type Unvalidated } from "@jobset-ts/api";
import {
  JOB_INDEX_KEY,
  JOB_RESTART_ATTEMPT_KEY,
  REPLICATED_JOB_NAME_KEY,
  RESTART_ATTEMPT_KEY,
} from "@jobset-ts/api/keys";
import { getLabel, type Job } from "@jobset-ts/api/kubernetes";
import type { Snapshot } from "@jobset-ts/core";
import type { Objects } from "../api-server/objects.ts";
import { getStoredJobs } from "./jobset-facts.ts";
import { memoizeBy } from "./memoize-by.ts";

/** The labels that identify the position of a Job in its JobSet. */
const POSITION_KEYS = [REPLICATED_JOB_NAME_KEY, JOB_INDEX_KEY, JOB_RESTART_ATTEMPT_KEY];
/** The labels of the position and of the JobSet's restart attempt. */
const POSITION_AND_ATTEMPT_KEYS = [...POSITION_KEYS, RESTART_ATTEMPT_KEY];

/**
 * Reports whether another client has changed the position or attempt labels of a Job. The Pod template has the original
 * labels. The controller may have identified such a Job by its labels or by its name, before or after the change. So a
 * law accepts both.
 */
export const isRelabelled = memoizeBy((job: Job) =>
  POSITION_AND_ATTEMPT_KEYS.some((key) => isChanged(job, key)),
);

/**
 * Returns a position or attempt label of the Job or its Pods that a write changes to a value other than the one that
 * the Pods were created with.
 */
export function findRelabelledKey(before: Job, after: Job): string | undefined {
  return POSITION_AND_ATTEMPT_KEYS.find((key) => {
    const created = getLabel(before.spec.template, key);
    const [was, is] = [before, after].map((job) => getLabel(job, key));
    return (is !== was && is !== created) || getLabel(after.spec.template, key) !== created;
  });
}

function isChanged(job: Job, key: string): boolean {
  return getLabel(job, key) !== getLabel(job.spec.template, key);
}

/**
 * Reports whether a Job's changed labels make its position or attempt unreadable. Then no pass over its JobSet may be
 * able to do anything. A Job with another valid attempt label simply belongs to that attempt.
 */
function isUnidentifiable(job: Job): boolean {
  const attempt = parseIntegerLabel(getLabel(job, RESTART_ATTEMPT_KEY));
  return POSITION_KEYS.some((key) => isChanged(job, key)) || !attempt.ok;
}

/** Reports whether a JobSet has a Job with an unreadable position or attempt. */
export function hasUnidentifiableJobs(jobSet: JobSet, objects: Objects): boolean {
  return getStoredJobs(jobSet, objects).some(isUnidentifiable);
}

/** Returns the number of child Jobs in a pass's view that have changed labels. */
export function countRelabelledJobs(jobSet: JobSet, snapshot: Snapshot): number {
  const jobs = snapshot.childJobs(jobSet as Unvalidated<JobSet>) as readonly Job[];
  return jobs.filter(isRelabelled).length;
}
