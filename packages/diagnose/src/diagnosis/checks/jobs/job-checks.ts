import { JOB_CONDITION_FAILED, jobSetReasons } from "@jobset-ts/api/conditions";
import { asString, getControllerOf } from "@jobset-ts/api/kubernetes";
import { findTrueCondition } from "@jobset-ts/core/status";
import { ageSinceStart } from "../../view/age.ts";
import { requestsTooManyJobs } from "../../view/create-jobset-view.ts";
import { jobCreationErrors } from "../../view/creation-failure.ts";
import { type EventFacts, findLatest } from "../../view/events.ts";
import type { JobSetView, JobView, ReplicatedJobView } from "../../view/jobset-view.ts";
import {
  absenceEvidence,
  conditionEvidence,
  createObjectKey,
  type DiagnosisCheck,
  eventEvidence,
  fail,
  failTransiently,
  fieldEvidence,
  jobSetKey,
  pass,
  unknown,
} from "../check-results.ts";
import type { FindingId } from "../finding-ids.ts";
import { pluralize } from "../pluralize.ts";
import { createEventEvidence, jobKey, needsEvents, unknownNumbers } from "./job-evidence.ts";

/** A Job, and the findings about the JobSet's attempts to create Jobs. */
export interface JobInJobSet {
  readonly job: JobView;
  readonly creationErrors: ReadonlyMap<string, JobCreationError>;
}

/** Why a Job could not be created, with the Event as evidence. */
export interface JobCreationError {
  readonly event: EventFacts;
  readonly message: string;
}

/**
 * Returns why Jobs could not be created, by name, according to the latest Event about each. An empty name means all
 * Jobs.
 */
export function listCreationErrors({ events }: JobSetView): ReadonlyMap<string, JobCreationError> {
  const errors = new Map<string, JobCreationError>();
  for (const event of events) {
    if (event.reason !== jobSetReasons.JobCreationFailed) continue;
    for (const [job, message] of jobCreationErrors(event.message)) {
      const known = errors.get(job);
      const events = known === undefined ? [event] : [known.event, event];
      if (findLatest(events) === event) errors.set(job, { event, message });
    }
  }
  return errors;
}

/** The findings that prevent the creation of every Job of a ReplicatedJob. */
const blocksAllJobs: readonly FindingId[] = [
  "too-many-jobs",
  "not-reconciled",
  "service-rejected",
  "volume-claim-rejected",
  "restart-cleanup",
  "dependency-not-ready",
  "startup-order",
  "managed-elsewhere",
  "restarts-exhausted",
  "jobset-failed",
];

const absentJobMessage = { advice: ["check that the JobSet controller runs, and read its log"] };

/** Checks for absent Jobs that are too many to report one by one. */
export const unlistedJobsAbsent: DiagnosisCheck<ReplicatedJobView> = {
  id: "job-absent",
  causes: blocksAllJobs,
  texts: absentJobMessage,
  run: ({ name, jobSet, unlisted: { count } }) => {
    if (count === 0 || !jobSet.needsJobs || requestsTooManyJobs(jobSet.jobSet)) return pass;
    if (!jobSet.facts.wasRead("Job")) return unknown("Job");
    const text = `${pluralize(count, "other job")} of ${name} ${count === 1 ? "does" : "do"} not exist`;
    const evidence = [absenceEvidence(jobSetKey(jobSet), "no such Jobs exist in this attempt")];
    return failTransiently(text, {
      objects: [jobSetKey(jobSet)],
      evidence,
      ...ageSinceStart(jobSet),
    });
  },
};

/** The checks of one Job, except those of its leader and its Pods. */
export const jobChecks: readonly DiagnosisCheck<JobInJobSet>[] = [
  {
    id: "webhook-unavailable",
    causes: [],
    texts: { advice: ["check the webhook's Pods, Service and certificate"] },
    run: ({ job }) => {
      const { failedCreation: failed, numbers } = job;
      if (numbers.missing === undefined) return unknownNumbers(job);
      if (numbers.missing === 0 || job.job === undefined) return pass;
      if (failed?.failure.cause !== "WebhookUnavailable") return needsEvents(job);
      const { webhook, message } = failed.failure;
      return fail(
        `webhook ${webhook} cannot be called: ${message}`,
        createEventEvidence(job, failed.event),
      );
    },
  },
  {
    id: "job-foreign",
    causes: [],
    texts: {
      advice: ["recreate the JobSet with another name; if nothing needs the Job, delete it"],
    },
    run: ({ job: { isDue, foreign, name, replicatedJob } }) => {
      if (!isDue || foreign === undefined) return pass;
      const owner = getControllerOf(foreign);
      const ownerName = owner && `${asString(owner.kind)} ${asString(owner.name)}`;
      const object = createObjectKey("Job", replicatedJob.jobSet.namespace, name);
      const evidence = [fieldEvidence(object, "metadata.ownerReferences", ownerName ?? "no owner")];
      return fail(`job ${name} ${ownerName ? `belongs to ${ownerName}` : "has no owner"}`, {
        objects: [object],
        evidence,
      });
    },
  },
  {
    id: "job-rejected",
    causes: ["job-foreign", "webhook-unavailable"],
    texts: { advice: ["fix the error in the message; the controller retries"] },
    run: ({ job, creationErrors }) => {
      if (!isAbsent(job)) return pass;
      const error = creationErrors.get(job.name) ?? creationErrors.get("");
      if (error === undefined) return needsEvents(job);
      // If no foreign Job has the name, the existing Job was an earlier one of the same JobSet.
      if (error.message.includes("already exists") && job.foreign === undefined) return pass;
      const object = jobSetKey(job.replicatedJob.jobSet);
      const evidence = [eventEvidence(object, error.event)];
      const objects = [jobKey(job), object];
      return fail(`job ${job.name} could not be created: ${error.message}`, { objects, evidence });
    },
  },
  {
    id: "job-absent",
    causes: ["job-foreign", "job-rejected", ...blocksAllJobs],
    texts: absentJobMessage,
    run: ({ job }) => {
      if (!job.isDue) return pass;
      if (!job.replicatedJob.jobSet.facts.wasRead("Job")) return unknown("Job");
      if (!isAbsent(job)) return pass;
      const evidence = [absenceEvidence(jobKey(job), "no such Job exists in this attempt")];
      const objects = [jobKey(job), jobSetKey(job.replicatedJob.jobSet)];
      const age = ageSinceStart(job.replicatedJob.jobSet, job);
      return failTransiently(`job ${job.name} does not exist`, { objects, evidence, ...age });
    },
  },
  {
    id: "job-suspended",
    causes: ["queued", "suspended", "job-change-rejected", "dependency-not-ready", "startup-order"],
    texts: { advice: ["find out what suspended the Job: its JobSet is not suspended"] },
    run: ({ job }) =>
      job.job?.spec?.suspend === true
        ? failTransiently(`job ${job.name} is suspended`, {
            ...field(job, "spec.suspend", "true"),
            ...ageSinceStart(job.replicatedJob.jobSet, job, true),
          })
        : pass,
  },
  {
    id: "job-failing",
    causes: ["pod-failed", "pod-terminating"],
    texts: { advice: ["wait for its Pods to terminate"] },
    run: ({ job }) => {
      const target = findTrueCondition(job.job?.status?.conditions, "FailureTarget");
      if (
        target === undefined ||
        findTrueCondition(job.job?.status?.conditions, JOB_CONDITION_FAILED)
      )
        return pass;
      const text = `job ${job.name} is failing (${asString(target.reason)}) and waits for its pods to terminate`;
      return failTransiently(text, condition(job, "FailureTarget", asString(target.message)));
    },
  },
  {
    id: "job-failed",
    causes: ["pod-failed"],
    texts: { advice: ["read the logs of its Pods, if any remain"] },
    run: ({ job }) => {
      const failed = findTrueCondition(job.job?.status?.conditions, JOB_CONDITION_FAILED);
      if (failed === undefined) return pass;
      const text = `job ${job.name} failed: ${asString(failed.reason)}: ${asString(failed.message)}`;
      return fail(text, condition(job, JOB_CONDITION_FAILED, asString(failed.message)));
    },
  },
];

function isAbsent(job: JobView): boolean {
  return job.isDue && job.job === undefined && job.replicatedJob.jobSet.facts.wasRead("Job");
}

function field(job: JobView, at: string, text: string) {
  return { objects: [jobKey(job)], evidence: [fieldEvidence(jobKey(job), at, text)] };
}

function condition(job: JobView, type: string, text: string) {
  return { objects: [jobKey(job)], evidence: [conditionEvidence(jobKey(job), type, text)] };
}
