import { JOB_CONDITION_FAILED, REASON_JOB_CREATION_FAILED } from "@jobset-ts/api/conditions";
import { conditionOf, controllerOf, textOf } from "@jobset-ts/api/kubernetes";
import { isConsequence, jobCreationErrors } from "../../view/creation-failure.ts";
import { type EventFacts, latestOf } from "../../view/events.ts";
import {
  type JobSetView,
  type JobView,
  type ReplicatedJobView,
  requestsTooManyJobs,
} from "../../view/jobset-view.ts";
import {
  absenceOf,
  conditionSays,
  type DiagnosisCheck,
  eventSays,
  fail,
  failForNow,
  fieldOf,
  keyOfKind,
  pass,
  unknown,
} from "../answers.ts";
import { areFor, counted } from "../counted.ts";
import { type FindingId, leaderFaults } from "../finding-ids.ts";
import { key } from "../jobset/jobset-checks.ts";

/** A Job, and what has been found of the JobSet's attempts to create Jobs. */
export interface JobInJobSet {
  readonly job: JobView;
  readonly creationErrors: ReadonlyMap<string, JobCreationError>;
}

/** Why a Job could not be created, with the Event that says so. */
export interface JobCreationError {
  readonly event: EventFacts;
  readonly message: string;
}

/** Why Jobs could not be created, by their names: what the latest Event about each says. */
export function creationErrorsOf({ events }: JobSetView): ReadonlyMap<string, JobCreationError> {
  const errors = new Map<string, JobCreationError>();
  for (const event of events) {
    if (event.reason !== REASON_JOB_CREATION_FAILED) continue;
    for (const [job, message] of jobCreationErrors(event.message)) {
      const known = errors.get(job);
      const events = known === undefined ? [event] : [known.event, event];
      if (latestOf(events) === event) errors.set(job, { event, message });
    }
  }
  return errors;
}

/** The findings that keep every Job of a ReplicatedJob from being created. */
const holdBackAllJobs: readonly FindingId[] = [
  "too-many-jobs",
  "not-reconciled",
  "service-rejected",
  "volume-claim-rejected",
  "restart-cleanup",
  "dependency-not-ready",
  "startup-order",
  "deleting",
  "managed-elsewhere",
  "restarts-exhausted",
  "jobset-failed",
];

const absentJobWords = { advice: ["look whether the JobSet controller runs, and at its log"] };

/** Whether Jobs do not exist that are too many to be reported one by one. */
export const unlistedJobsAbsent: DiagnosisCheck<ReplicatedJobView> = {
  id: "job-absent",
  causes: holdBackAllJobs,
  words: absentJobWords,
  run: ({ name, jobSet, unlisted: { count } }) => {
    if (count === 0 || jobSet.isFinished || requestsTooManyJobs(jobSet.jobSet)) return pass;
    if (!jobSet.facts.wasRead("Job")) return unknown("Job");
    const text = `${counted(count, "other job")} of ${name} ${count === 1 ? "does" : "do"} not exist`;
    const evidence = [absenceOf(key(jobSet), "there are no such Jobs of this attempt")];
    return failForNow(text, { objects: [key(jobSet)], evidence });
  },
};

/** What can be found of one Job, apart from its leader and its Pods. */
export const jobChecks: readonly DiagnosisCheck<JobInJobSet>[] = [
  {
    id: "webhook-unavailable",
    causes: [],
    words: { advice: ["look at the webhook's Pods, its Service and its certificate"] },
    run: ({ job }) => {
      const { failedCreation: failed, numbers } = job;
      if (numbers.missing === undefined) return unknownNumbers(job);
      if (numbers.missing === 0 || job.job === undefined) return pass;
      if (failed?.failure.cause !== "WebhookUnavailable") return needsEvents(job);
      const { webhook, message } = failed.failure;
      return fail(`webhook ${webhook} cannot be called: ${message}`, said(job, failed.event));
    },
  },
  {
    id: "job-foreign",
    causes: [],
    words: { advice: ["delete or rename the Job that has the name"] },
    run: ({ job: { isDue, foreign, name, replicatedJob } }) => {
      if (!isDue || foreign === undefined) return pass;
      const owner = controllerOf(foreign);
      const whose = owner === undefined ? "nobody" : `${textOf(owner.kind)} ${textOf(owner.name)}`;
      const object = keyOfKind("Job", replicatedJob.jobSet.namespace, name);
      const evidence = [fieldOf(object, "metadata.ownerReferences", whose)];
      return fail(`job ${name} belongs to ${whose}`, { objects: [object], evidence });
    },
  },
  {
    id: "job-rejected",
    causes: ["job-foreign", "webhook-unavailable"],
    words: { advice: ["correct what the message names; the controller tries again"] },
    run: ({ job, creationErrors }) => {
      if (!isAbsent(job)) return pass;
      const error = creationErrors.get(job.name);
      if (error === undefined) return needsEvents(job);
      // Where nobody else has the name, it is an earlier Job of the JobSet's own that was in the way.
      if (error.message.includes("already exists") && job.foreign === undefined) return pass;
      const object = key(job.replicatedJob.jobSet);
      const evidence = [eventSays(object, error.event)];
      const objects = [jobKey(job), object];
      return fail(`job ${job.name} could not be created: ${error.message}`, { objects, evidence });
    },
  },
  {
    id: "job-absent",
    causes: ["job-foreign", "job-rejected", ...holdBackAllJobs],
    words: absentJobWords,
    run: ({ job }) => {
      if (!job.isDue) return pass;
      if (!job.replicatedJob.jobSet.facts.wasRead("Job")) return unknown("Job");
      if (!isAbsent(job)) return pass;
      const evidence = [absenceOf(jobKey(job), "there is no such Job of this attempt")];
      const objects = [jobKey(job), key(job.replicatedJob.jobSet)];
      return failForNow(`job ${job.name} does not exist`, { objects, evidence });
    },
  },
  {
    id: "job-suspended",
    causes: ["queued", "suspended", "job-change-rejected", "dependency-not-ready", "startup-order"],
    words: { advice: ["look at who has suspended the Job: its JobSet is not suspended"] },
    run: ({ job }) =>
      job.job?.spec?.suspend === true
        ? failForNow(`job ${job.name} is suspended`, field(job, "spec.suspend", "true"))
        : pass,
  },
  {
    id: "job-failing",
    causes: ["pod-failed", "pod-terminating"],
    words: { advice: ["wait for its Pods to end"] },
    run: ({ job }) => {
      const target = trueCondition(job, "FailureTarget");
      if (target === undefined || trueCondition(job, JOB_CONDITION_FAILED)) return pass;
      const text = `job ${job.name} is failing (${textOf(target.reason)}) and waits for its pods to end`;
      return failForNow(text, condition(job, "FailureTarget", textOf(target.message)));
    },
  },
  {
    id: "job-failed",
    causes: ["pod-failed"],
    words: { advice: ["look at the logs of its Pods, if there are any left"] },
    run: ({ job }) => {
      const failed = trueCondition(job, JOB_CONDITION_FAILED);
      if (failed === undefined) return pass;
      const text = `job ${job.name} failed: ${textOf(failed.reason)}: ${textOf(failed.message)}`;
      return fail(text, condition(job, JOB_CONDITION_FAILED, textOf(failed.message)));
    },
  },
];

/** A Job, and whether its leader is known to be at fault; `undefined` when that cannot be told. */
export interface JobWithLeader {
  readonly job: JobView;
  readonly hasLeaderFault: boolean | undefined;
  /** The kinds of objects that would tell. */
  readonly unread: readonly string[];
}

/** What can be found of the Pods that a Job lacks. */
export const missingPodChecks: readonly DiagnosisCheck<JobWithLeader>[] = [
  {
    id: "followers-refused",
    causes: leaderFaults,
    run: ({ job, hasLeaderFault, unread }) => {
      const { numbers, failedCreation: failed, name } = job;
      const { blockedFollowers } = numbers;
      if (blockedFollowers === undefined) return unknownNumbers(job);
      if (blockedFollowers === 0 || failed === undefined) return pass;
      // A denial outlives its cause for an hour, and Pods are made again up to a minute later.
      if (hasLeaderFault === false) return pass;
      if (hasLeaderFault === undefined) return unknown(...unread);
      const text = `${blockedFollowers} followers of ${name} are refused at admission: ${failed.failure.message}`;
      return failForNow(text, said(job, failed.event));
    },
  },
  {
    id: "pods-rejected",
    causes: ["webhook-unavailable"],
    words: { advice: ["correct what the message names: quota, policy or the template"] },
    run: ({ job }) => {
      const { numbers, failedCreation: failed, name, leaderState } = job;
      if (numbers.missing === 0 || leaderState === "absent") return pass;
      if (numbers.missing === undefined) return unknownNumbers(job);
      if (failed === undefined) return needsEvents(job);
      if (failed.failure.cause === "FollowerDenied") return pass;
      const text = `pods of ${name} could not be created: ${failed.failure.message}`;
      return fail(text, said(job, failed.event));
    },
  },
  {
    id: "pods-not-created",
    causes: [
      "job-absent",
      "job-suspended",
      "leader-rejected",
      "pods-rejected",
      "pod-terminating",
      ...leaderFaults,
    ],
    words: { advice: ["wait: the Job controller tries again after a minute at most"] },
    run: ({ job, hasLeaderFault, unread }) => {
      const { missing, blockedFollowers } = job.numbers;
      if (missing === undefined) return unknownNumbers(job);
      if (missing === 0) return pass;
      if (blockedFollowers === undefined) return unknown("Event");
      const isRefused = blockedFollowers > 0 ? hasLeaderFault : false;
      if (isRefused === undefined) return unknown(...unread);
      if (isRefused) return pass;
      const evidence = [
        absenceOf(jobKey(job), `${counted(missing, "Pod")} ${areFor(missing)} not there`),
      ];
      const text = `${counted(missing, "pod")} of ${job.name} ${areFor(missing)} not created`;
      return failForNow(text, { objects: [jobKey(job)], evidence });
    },
  },
];

/** Whether the words of a Job's last denial name a consequence only. */
export function showsConsequence({ failedCreation }: JobView): boolean {
  const failure = failedCreation?.failure;
  return failure?.cause === "FollowerDenied" && isConsequence(failure.denial);
}

/** Points at a Job, whether or not it exists. */
export function jobKey({ name, replicatedJob }: JobView) {
  return keyOfKind("Job", replicatedJob.jobSet.namespace, name);
}

/** That an Event about a Job says something. */
export function said(job: JobView, event: EventFacts) {
  return { objects: [jobKey(job)], evidence: [eventSays(jobKey(job), event)] };
}

/** The answer where Events that nobody has read might say that a check fails. */
export function needsEvents({ replicatedJob }: JobView) {
  return replicatedJob.jobSet.facts.wasRead("Event") ? pass : unknown("Event");
}

/** The answer where it is not known how many Pods a Job lacks, or why. */
export function unknownNumbers({ replicatedJob }: JobView) {
  const { facts } = replicatedJob.jobSet;
  const unread = ["Job", "Pod"].filter((kind) => !facts.wasRead(kind));
  return unread.length > 0 ? unknown(...unread) : unknown("Event");
}

function isAbsent(job: JobView): boolean {
  return job.isDue && job.job === undefined && job.replicatedJob.jobSet.facts.wasRead("Job");
}

function field(job: JobView, at: string, text: string) {
  return { objects: [jobKey(job)], evidence: [fieldOf(jobKey(job), at, text)] };
}

function condition(job: JobView, type: string, text: string) {
  return { objects: [jobKey(job)], evidence: [conditionSays(jobKey(job), type, text)] };
}

function trueCondition({ job }: JobView, type: string) {
  const found = conditionOf(job?.status?.conditions, type);
  return found?.status === "True" ? found : undefined;
}
