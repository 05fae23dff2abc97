import { isSuspended } from "@jobset-ts/api";
import { jobSetReasons } from "@jobset-ts/api/conditions";
import { getName, isBeingDeleted } from "@jobset-ts/api/kubernetes";
import { jobState } from "@jobset-ts/core/child-jobs";
import { type EventFacts, findLatest } from "../../view/events.ts";
import type { JobSetView } from "../../view/jobset-view.ts";
import {
  type DiagnosisCheck,
  eventEvidence,
  fail,
  getObjectKey,
  jobSetKey,
  pass,
  unknown,
} from "../check-results.ts";
import { needsEvents } from "../jobset/jobset-evidence.ts";
import { pluralize } from "../pluralize.ts";

/** Checks for reasons why Jobs cannot be suspended, resumed or deleted. */
export const jobChangeChecks: readonly DiagnosisCheck<JobSetView>[] = [
  {
    id: "job-change-rejected",
    causes: [],
    texts: { advice: ["fix the error in the message; the controller retries"] },
    run: changeRejected,
  },
];

/** Checks whether an Event explains why a Job is not suspended, resumed or deleted yet. */
function changeRejected(view: JobSetView) {
  const { events, facts, childJobs } = view;
  if (!facts.wasRead("Job")) {
    const isReported = events.some(({ reason }) => changeFailures.has(reason));
    return isReported ? unknown("Job") : needsEvents(view);
  }
  const unchanged = unchangedJobs(view);
  if (unchanged.length === 0) return pass;
  const children = new Set(childJobs.map(getName));
  const listRejected = ({ reason, message }: EventFacts) => {
    const quoted = Array.from(message.matchAll(/"([^"]*)"/g), ([, name = ""]) => name);
    const named = quoted.filter((name) => children.has(name));
    // JobSet's controller repeats the message of another webhook without the Job's name.
    const isAbout = (name: string) => named.length === 0 || named.includes(name);
    return unchanged.filter(({ job, reasons }) => reasons.has(reason) && isAbout(getName(job)));
  };
  const event = findLatest(events.filter((one) => listRejected(one).length > 0));
  if (event === undefined) return needsEvents(view);
  const jobs = listRejected(event).map(({ job }) => getObjectKey("Job", job));
  const text = `${pluralize(jobs.length, "job")} cannot be changed: ${event.message}`;
  return fail(text, {
    objects: [...jobs, jobSetKey(view)],
    evidence: [eventEvidence(jobSetKey(view), event)],
  });
}

const changeFailures: ReadonlySet<string> = new Set([
  jobSetReasons.JobUpdateFailed,
  jobSetReasons.JobDeletionFailed,
  jobSetReasons.ResourcePropagationFailed,
]);

/** Returns the Jobs to suspend, resume or delete, with the Events that may explain the delay. */
function unchangedJobs(view: JobSetView) {
  const { jobSet, childJobs, previousJobs, isFinished } = view;
  const previous = new Set(previousJobs);
  return childJobs.flatMap((job) => {
    if (isBeingDeleted(job)) return [];
    if (previous.has(job)) return [{ job, reasons: deletionFailures }];
    if (jobState(job) !== "active") return [];
    if (isFinished) return [{ job, reasons: deletionFailures }];
    const isJobSuspended = job.spec?.suspend === true;
    if (isSuspended(jobSet) === isJobSuspended) return [];
    return [{ job, reasons: isJobSuspended ? resumptionFailures : suspensionFailures }];
  });
}

const deletionFailures: ReadonlySet<string> = new Set([jobSetReasons.JobDeletionFailed]);
const suspensionFailures: ReadonlySet<string> = new Set([jobSetReasons.JobUpdateFailed]);
const resumptionFailures: ReadonlySet<string> = new Set([
  jobSetReasons.JobUpdateFailed,
  jobSetReasons.ResourcePropagationFailed,
]);
