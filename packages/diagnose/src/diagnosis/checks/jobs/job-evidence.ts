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
