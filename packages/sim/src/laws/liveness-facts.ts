import { isSuspended, type JobSet } from "@jobset-ts/api";
import type { Job, KubernetesObject } from "@jobset-ts/api/kubernetes";
import type { Objects, Stored } from "../api-server/objects.ts";
import { type Change, getChangedObject } from "../kernel/component.ts";
import {
  getAttempt,
  getControllingJobSet,
  getCurrentAttempt,
  getStoredJobs,
  hasUnidentifiableJobs,
  isDesiredJob,
  isEarlier,
  isManagedHere,
  isTerminal,
} from "./jobset-facts.ts";
import type { LivenessStart } from "./liveness-law.ts";

/** The Jobs that a JobSet asks for, and that are there, of the current attempt. */
export function getDesiredJobs(jobSet: JobSet, objects: Objects): readonly Job[] {
  return getStoredJobs(jobSet, objects).filter(
    (job) =>
      isDesiredJob(job, jobSet) && !isEarlier(getAttempt(job), getCurrentAttempt(jobSet, job)),
  );
}

/**
 * Any change of a JobSet, or of a Job or Service that it controls, begins anew: it is asked what is missing when all stands
 * still. Of a volume claim, or a Service that it only uses, nobody tells its controller.
 */
export function startByFamily(change: Change, objects: Objects): LivenessStart | undefined {
  const object = getChangedObject(change);
  if (object.kind === "JobSet") return change.after && { subject: object };
  if (object.kind !== "Job" && object.kind !== "Service") return undefined;
  const jobSet = getControllingJobSet(object, objects);
  return jobSet && { subject: jobSet as KubernetesObject as Stored };
}

/** A JobSet as it is now, unless it is gone or going, or has a Job that keeps every pass from doing anything. */
export function getLiveJobSet(subject: Stored, objects: Objects): JobSet | undefined {
  const jobSet = objects.current(subject) as JobSet | undefined;
  if (jobSet === undefined || jobSet.metadata.deletionTimestamp !== undefined) return undefined;
  return hasUnidentifiableJobs(jobSet, objects) ? undefined : jobSet;
}

/** A JobSet as it is now, if it goes on. */
export function getUnfinishedJobSet(subject: Stored, objects: Objects): JobSet | undefined {
  const jobSet = getLiveJobSet(subject, objects);
  return jobSet !== undefined && isUnfinished(jobSet) ? jobSet : undefined;
}

/** A JobSet as it is now, if it is to run. */
export function getRunnableJobSet(subject: Stored, objects: Objects): JobSet | undefined {
  const jobSet = getUnfinishedJobSet(subject, objects);
  return jobSet !== undefined && !isSuspended(jobSet) ? jobSet : undefined;
}

/** A JobSet as it is now, if it is suspended and goes on. */
export function getSuspendedJobSet(subject: Stored, objects: Objects): JobSet | undefined {
  const jobSet = getUnfinishedJobSet(subject, objects);
  return jobSet !== undefined && isSuspended(jobSet) ? jobSet : undefined;
}

/** Whether a JobSet has not ended, and is the controller's own to look after. */
export function isUnfinished(jobSet: JobSet): boolean {
  const isLiving = !isTerminal(jobSet) && jobSet.metadata.deletionTimestamp === undefined;
  return isLiving && isManagedHere(jobSet);
}

export function createJob(object: Stored): Job {
  return object as unknown as Job;
}
