import { asInteger } from "@jobset-ts/api/kubernetes";
import { type Age, ageSinceStart } from "../../view/age.ts";
import type { EventFacts } from "../../view/events.ts";
import type { JobView } from "../../view/jobset-view.ts";
import { createObjectKey, eventEvidence, pass, unknown } from "../check-results.ts";

/** Returns the key of a Job, whether or not it exists. */
export function jobKey({ name, replicatedJob }: JobView) {
  return createObjectKey("Job", replicatedJob.jobSet.namespace, name);
}

/** Returns evidence from an Event about a Job. */
export function createEventEvidence(job: JobView, event: EventFacts) {
  return { objects: [jobKey(job)], evidence: [eventEvidence(jobKey(job), event)] };
}

/** Returns an unknown result if Events are unread, because an Event could report a failure. */
export function needsEvents({ replicatedJob }: JobView) {
  return replicatedJob.jobSet.facts.wasRead("Event") ? pass : unknown("Event");
}

/** Returns the unknown result if the number of missing Pods or the reason is unknown. */
export function unknownNumbers({ replicatedJob }: JobView) {
  const { facts } = replicatedJob.jobSet;
  const unread = ["Job", "Pod"].filter((kind) => !facts.wasRead(kind));
  return unread.length > 0 ? unknown(...unread) : unknown("Event");
}

/** Returns the age of a rejection. After a restart, a quota may be exceeded until the earlier Pods have terminated. */
export function rejectionAge(job: JobView, message: string): Partial<Age> {
  const { jobSet } = job.replicatedJob;
  const isRestarted = asInteger(jobSet.jobSet.status?.restarts, 0) > 0;
  return isRestarted && message.includes("exceeded quota") ? ageSinceStart(jobSet, job) : {};
}
