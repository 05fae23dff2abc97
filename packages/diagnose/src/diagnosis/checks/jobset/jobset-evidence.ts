import { findLatest } from "../../view/events.ts";
import type { JobSetView } from "../../view/jobset-view.ts";
import { fieldEvidence, jobSetKey, pass, unknown } from "../check-results.ts";

/** Returns evidence from a field of the JobSet. */
export function jobSetField(view: JobSetView, at: string, text: string) {
  return { objects: [jobSetKey(view)], evidence: [fieldEvidence(jobSetKey(view), at, text)] };
}

/** Returns the latest Event about the JobSet with a reason. */
export function lastEvent({ events }: JobSetView, reason: string) {
  return findLatest(events.filter((event) => event.reason === reason));
}

/** Returns an unknown result if Events are unread, because an Event could report a failure. */
export function needsEvents({ facts }: JobSetView) {
  return facts.wasRead("Event") ? pass : unknown("Event");
}
