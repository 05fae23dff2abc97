import { isSuspended, type JobSet } from "@jobset-ts/api";
import type { Job, KubernetesObject } from "@jobset-ts/api/kubernetes";
import type { Objects, Stored } from "../api-server/objects.ts";
import { type Change, getChangedObject } from "../kernel/component.ts";
import {
  getControllingJobSet,
  getStoredJobs,
  isDesiredJob,
  isManagedHere,
  isTerminal,
} from "./jobset-facts.ts";
import type { LivenessStart } from "./liveness-law.ts";
import { hasUnidentifiableJobs } from "./relabelled-jobs.ts";
import { getAttempt, getCurrentAttempt, isEarlier } from "./restart-attempt.ts";

/** Returns the existing Jobs of the current attempt that a JobSet requests. */
export function getDesiredJobs(jobSet: JobSet, objects: Objects): readonly Job[] {
  return getStoredJobs(jobSet, objects).filter(
    (job) =>
      isDesiredJob(job, jobSet) && !isEarlier(getAttempt(job), getCurrentAttempt(jobSet, job)),
  );
}

/**
 * Restarts the time limit at each change of a JobSet, or of a Job or Service that it controls, because the law concerns
 * missing objects after the last change. The controller gets no event for a PersistentVolumeClaim, or for a Service
 * that it only uses.
 */
export function startByFamily(change: Change, objects: Objects): LivenessStart | undefined {
  const object = getChangedObject(change);
  if (object.kind === "JobSet") return change.after && { subject: object };
  if (object.kind !== "Job" && object.kind !== "Service") return undefined;
  const jobSet = getControllingJobSet(object, objects);
  return jobSet && { subject: jobSet as KubernetesObject as Stored };
}

/**
 * Returns the current version of a JobSet. `undefined` if it does not exist, is being deleted, or has a Job that
 * blocks every pass.
 */
export function getLiveJobSet(subject: Stored, objects: Objects): JobSet | undefined {
  const jobSet = objects.current(subject) as JobSet | undefined;
  if (jobSet === undefined || jobSet.metadata.deletionTimestamp !== undefined) return undefined;
  return hasUnidentifiableJobs(jobSet, objects) ? undefined : jobSet;
}

/** Returns the current version of a JobSet, if it has not finished. */
export function getUnfinishedJobSet(subject: Stored, objects: Objects): JobSet | undefined {
  const jobSet = getLiveJobSet(subject, objects);
  return jobSet !== undefined && isUnfinished(jobSet) ? jobSet : undefined;
}

/** Returns the current version of a JobSet, if it is unfinished and not suspended. */
export function getRunnableJobSet(subject: Stored, objects: Objects): JobSet | undefined {
  const jobSet = getUnfinishedJobSet(subject, objects);
  return jobSet !== undefined && !isSuspended(jobSet) ? jobSet : undefined;
}

/** Returns the current version of a JobSet, if it is unfinished and suspended. */
export function getSuspendedJobSet(subject: Stored, objects: Objects): JobSet | undefined {
  const jobSet = getUnfinishedJobSet(subject, objects);
  return jobSet !== undefined && isSuspended(jobSet) ? jobSet : undefined;
}

/** Reports whether a JobSet has not finished and the built-in controller manages it. */
export function isUnfinished(jobSet: JobSet): boolean {
  const isLiving = !isTerminal(jobSet) && jobSet.metadata.deletionTimestamp === undefined;
  return isLiving && isManagedHere(jobSet);
}

export function createJob(object: Stored): Job {
  return object as unknown as Job;
}
