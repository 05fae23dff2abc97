import { isSuspended, JOBSET_CONTROLLER_NAME, parseTime, subdomainOf } from "@jobset-ts/api";
import {
  CONDITION_FAILED,
  REASON_CLAIM_CREATION_FAILED,
  REASON_JOB_CREATION_FAILED,
  REASON_JOB_DELETION_FAILED,
  REASON_JOB_UPDATE_FAILED,
  REASON_REACHED_MAX_RESTARTS,
  REASON_RESOURCE_PROPAGATION_FAILED,
  REASON_SERVICE_CREATION_FAILED,
} from "@jobset-ts/api/conditions";
import { JOBSET_NAME_KEY } from "@jobset-ts/api/keys";
import { conditionOf, integerOf, labelOf, listOf, nameOf, textOf } from "@jobset-ts/api/kubernetes";
import { jobState } from "@jobset-ts/core/child-jobs";
import {
  hasDnsHostnames,
  indexedReplicatedJobs,
  jobCount,
  MAX_DESIRED_JOBS,
} from "@jobset-ts/core/desired";
import { unavailableWebhook } from "../../view/creation-failure.ts";
import { type EventFacts, latestOf } from "../../view/events.ts";
import { type JobSetView, requestsTooManyJobs } from "../../view/jobset-view.ts";
import { isBeingDeleted } from "../../view/member-pod.ts";
import {
  absenceOf,
  conditionSays,
  type DiagnosisCheck,
  eventSays,
  fail,
  failForNow,
  fieldOf,
  keyOfKind,
  keyOfObject,
  pass,
  unknown,
} from "../answers.ts";
import { areFor, counted } from "../counted.ts";

const QUEUE_NAME_KEY = "kueue.x-k8s.io/queue-name";

/** What can be found of a JobSet as a whole. */
export const jobSetChecks: readonly DiagnosisCheck<JobSetView>[] = [
  {
    id: "deleting",
    causes: [],
    words: {
      advice: ["wait for its Jobs and Pods to go; if they do not, look at their finalizers"],
    },
    run: (view) =>
      isBeingDeleted(view.jobSet)
        ? failForNow("JobSet is being deleted", field(view, "metadata.deletionTimestamp", "is set"))
        : pass,
  },
  {
    id: "managed-elsewhere",
    causes: [],
    words: { advice: ["look at the controller that `spec.managedBy` names"] },
    run: (view) => {
      const manager = managerOf(view);
      return manager === undefined
        ? pass
        : failForNow(`JobSet is managed by ${manager}`, field(view, "spec.managedBy", manager));
    },
  },
  {
    id: "restarts-exhausted",
    causes: ["job-failed"],
    words: {
      advice: ["look at why its Jobs failed; a new JobSet starts with no restarts counted"],
    },
    run: (view) => {
      const failed = failedCondition(view);
      if (failed?.reason !== REASON_REACHED_MAX_RESTARTS) return pass;
      const limit = integerOf(view.jobSet.spec?.failurePolicy?.maxRestarts, 0);
      return fail(`JobSet failed: restart limit ${limit} reached`, failedSight(view, failed));
    },
  },
  {
    id: "jobset-failed",
    causes: ["job-failed"],
    words: { advice: ["look at why its Jobs failed"] },
    run: (view) => {
      const failed = failedCondition(view);
      if (failed === undefined || failed.reason === REASON_REACHED_MAX_RESTARTS) return pass;
      const [reason, message] = [textOf(failed.reason), textOf(failed.message)];
      return fail(`JobSet failed: ${reason}: ${message}`, failedSight(view, failed));
    },
  },
  {
    id: "too-many-jobs",
    causes: [],
    words: {
      advice: [`lower \`replicas\`: a JobSet may request ${MAX_DESIRED_JOBS} Jobs at most`],
    },
    run: tooManyJobs,
  },
  {
    id: "queued",
    causes: [],
    words: { advice: ["look at the Workload and its queue: quota is given there"] },
    run: (view) => {
      const queue = queueOf(view);
      if (!isSuspended(view.jobSet) || queue === undefined) return pass;
      return failForNow(
        `JobSet is suspended by queue ${queue}`,
        field(view, "spec.suspend", "true"),
      );
    },
  },
  {
    id: "suspended",
    causes: [],
    words: { advice: ["set `spec.suspend` to false to start it"] },
    run: (view) =>
      isSuspended(view.jobSet) && queueOf(view) === undefined
        ? failForNow("JobSet is suspended", field(view, "spec.suspend", "true"))
        : pass,
  },
  {
    id: "not-reconciled",
    causes: ["too-many-jobs"],
    words: { advice: ["look whether the JobSet controller runs, and at its log"] },
    run: notReconciled,
  },
  {
    id: "webhook-unavailable",
    causes: [],
    words: { advice: ["look at the webhook's Pods, its Service and its certificate"] },
    run: (view) => {
      const isLacking = lacksJobs(view);
      if (isLacking === false) return pass;
      const event = lastEvent(view, REASON_JOB_CREATION_FAILED);
      const failure = event && unavailableWebhook(event.message);
      if (event === undefined || failure === undefined) return needsEvents(view);
      if (isLacking === undefined) return unknown("Job");
      const text = `webhook ${failure.webhook} cannot be called: ${failure.message}`;
      return fail(text, { objects: [key(view)], evidence: [eventSays(key(view), event)] });
    },
  },
  {
    id: "service-rejected",
    causes: [],
    words: { advice: ["correct what the message names; the controller tries again"] },
    run: (view) => {
      const isThere = isServiceThere(view);
      if (isThere === true || !hasDnsHostnames(view.jobSet)) return pass;
      const event = lastEvent(view, REASON_SERVICE_CREATION_FAILED);
      if (event === undefined) return needsEvents(view);
      if (isThere === undefined) return unknown("Service");
      const text = `headless service ${subdomainOf(view.jobSet)} could not be created: ${event.message}`;
      return fail(text, { objects: [key(view)], evidence: [eventSays(key(view), event)] });
    },
  },
  {
    id: "service-missing",
    causes: [
      "service-rejected",
      "not-reconciled",
      "deleting",
      "managed-elsewhere",
      "too-many-jobs",
    ],
    words: { advice: ["look whether the JobSet controller runs: it makes the Service anew"] },
    run: (view) => {
      if (isServiceThere(view) !== false) return needsServices(view);
      const service = serviceKey(view);
      const evidence = [absenceOf(service, "there is no such Service")];
      return fail(`headless service ${service.name} is missing`, {
        objects: [service, key(view)],
        evidence,
      });
    },
  },
  {
    id: "service-foreign",
    causes: [],
    words: {
      advice: [
        "delete the Service or rename it, or give the JobSet another `spec.network.subdomain`",
      ],
    },
    run: serviceForeign,
  },
  {
    id: "volume-claim-rejected",
    causes: [],
    words: { advice: ["correct what the message names; the controller tries again"] },
    run: (view) => {
      const isLacking = lacksJobs(view);
      if (isLacking === false) return pass;
      const event = lastEvent(view, REASON_CLAIM_CREATION_FAILED);
      if (event === undefined) return needsEvents(view);
      if (isLacking === undefined) return unknown("Job");
      const sight = { objects: [key(view)], evidence: [eventSays(key(view), event)] };
      return fail(`volume claim could not be created: ${event.message}`, sight);
    },
  },
  {
    id: "job-change-rejected",
    causes: [],
    words: { advice: ["correct what the message names; the controller tries again"] },
    run: changeRejected,
  },
  {
    id: "restart-cleanup",
    causes: ["pod-terminating", "job-change-rejected"],
    words: { advice: ["wait; if a Job stays, look at its finalizers and its Pods"] },
    run: ({ previousJobs, facts }) => {
      if (!facts.wasRead("Job")) return unknown("Job");
      if (previousJobs.length === 0) return pass;
      const objects = previousJobs.map((job) => keyOfObject("Job", job));
      const evidence = objects.map((job) =>
        fieldOf(job, "metadata.labels", "of an earlier attempt"),
      );
      const text = `${counted(previousJobs.length, "job")} of a previous attempt ${areFor(previousJobs.length)} not gone yet`;
      return failForNow(text, { objects, evidence });
    },
  },
];

/**
 * Whether the JobSet requests more Jobs than any controller can create.
 *
 * Such a JobSet is stuck. The controller of jobset-ts rejects the pass before it creates the first Job. Upstream's
 * controller builds all Jobs in memory before it creates the first one, and runs out of memory. Neither waiting nor a
 * resume helps, so that a suspended JobSet is stuck as well.
 */
function tooManyJobs(view: JobSetView) {
  const { jobSet, isFinished } = view;
  if (isFinished || isBeingDeleted(jobSet) || managerOf(view) !== undefined) return pass;
  if (!requestsTooManyJobs(jobSet)) return pass;
  const count = jobCount(jobSet);
  const all = indexedReplicatedJobs(jobSet);
  const most = all.reduce((at, { replicas }, index) => {
    return replicas > (all[at]?.replicas ?? 0) ? index : at;
  }, 0);
  const text = `JobSet requests ${count} Jobs, and no controller can create more than ${MAX_DESIRED_JOBS}`;
  return fail(text, field(view, `spec.replicatedJobs[${most}].replicas`, `${all[most]?.replicas}`));
}

/** Points at the JobSet. */
export function key(view: JobSetView) {
  return keyOfKind("JobSet", view.namespace, view.name);
}

function field(view: JobSetView, at: string, text: string) {
  return { objects: [key(view)], evidence: [fieldOf(key(view), at, text)] };
}

/** Who else manages the JobSet; `undefined` when JobSet's own controller does. */
export function managerOf({ jobSet }: JobSetView): string | undefined {
  const manager = textOf(jobSet.spec?.managedBy);
  return manager === "" || manager === JOBSET_CONTROLLER_NAME ? undefined : manager;
}

function failedCondition({ jobSet }: JobSetView) {
  const condition = conditionOf(jobSet.status?.conditions, CONDITION_FAILED);
  return condition?.status === "True" ? condition : undefined;
}

function failedSight(view: JobSetView, condition: { readonly message?: string }) {
  const text = textOf(condition.message);
  return { objects: [key(view)], evidence: [conditionSays(key(view), CONDITION_FAILED, text)] };
}

function queueOf({ jobSet }: JobSetView): string | undefined {
  return labelOf(jobSet, QUEUE_NAME_KEY);
}

/** How old a JobSet is, in seconds; endless where it does not say. */
export function ageSeconds({ jobSet, now }: JobSetView): number {
  const createdAt = parseTime(jobSet.metadata?.creationTimestamp);
  return createdAt === undefined ? Number.POSITIVE_INFINITY : (now - createdAt) / 1000;
}

function notReconciled(view: JobSetView) {
  const { jobSet, facts, childJobs, events } = view;
  const isUntouched =
    listOf(jobSet.status?.conditions).length === 0 &&
    listOf(jobSet.status?.replicatedJobsStatus).length === 0 &&
    childJobs.length === 0 &&
    events.length === 0 &&
    (!hasDnsHostnames(jobSet) || isServiceThere(view) !== true) &&
    !isBeingDeleted(jobSet) &&
    managerOf(view) === undefined;
  if (!isUntouched) return pass;
  const needed = hasDnsHostnames(jobSet) ? ["Job", "Event", "Service"] : ["Job", "Event"];
  const unread = needed.filter((kind) => !facts.wasRead(kind));
  if (unread.length > 0) return unknown(...unread);
  const evidence = [absenceOf(key(view), "there is no status yet", "status")];
  const text = "no controller has handled the JobSet yet";
  return fail(text, { objects: [key(view)], evidence });
}

/** Whether a Job that is due is not there; `undefined` when Jobs were not read. */
function lacksJobs({ facts, replicatedJobs }: JobSetView): boolean | undefined {
  if (!facts.wasRead("Job")) return undefined;
  return replicatedJobs.some(({ jobs }) =>
    jobs.some(({ isDue, job }) => isDue && job === undefined),
  );
}

/** Whether an Event says why a Job is not suspended, resumed or deleted yet. */
function changeRejected(view: JobSetView) {
  const { events, facts, childJobs } = view;
  if (!facts.wasRead("Job")) {
    const isTold = events.some(({ reason }) => changeFailures.has(reason));
    return isTold ? unknown("Job") : needsEvents(view);
  }
  const unchanged = unchangedJobs(view);
  if (unchanged.length === 0) return pass;
  const children = new Set(childJobs.map(nameOf));
  const refusedBy = ({ reason, message }: EventFacts) => {
    const quoted = Array.from(message.matchAll(/"([^"]*)"/g), ([, name = ""]) => name);
    const named = quoted.filter((name) => children.has(name));
    // JobSet's own controller tells what somebody else's webhook says, without the Job.
    const isAbout = (name: string) => named.length === 0 || named.includes(name);
    return unchanged.filter(({ job, reasons }) => reasons.has(reason) && isAbout(nameOf(job)));
  };
  const event = latestOf(events.filter((one) => refusedBy(one).length > 0));
  if (event === undefined) return needsEvents(view);
  const jobs = refusedBy(event).map(({ job }) => keyOfObject("Job", job));
  const text = `${counted(jobs.length, "job")} cannot be changed: ${event.message}`;
  return fail(text, { objects: [...jobs, key(view)], evidence: [eventSays(key(view), event)] });
}

const changeFailures: ReadonlySet<string> = new Set([
  REASON_JOB_UPDATE_FAILED,
  REASON_JOB_DELETION_FAILED,
  REASON_RESOURCE_PROPAGATION_FAILED,
]);

/** The Jobs that are to be suspended, resumed or deleted, with the Events that may say why they are not. */
function unchangedJobs(view: JobSetView) {
  const { jobSet, childJobs, previousJobs, isFinished } = view;
  const isOver = new Set(previousJobs);
  return childJobs.flatMap((job) => {
    if (isBeingDeleted(job)) return [];
    if (isOver.has(job)) return [{ job, reasons: deletionFailures }];
    if (jobState(job) !== "active") return [];
    if (isFinished) return [{ job, reasons: deletionFailures }];
    const isJobSuspended = job.spec?.suspend === true;
    if (isSuspended(jobSet) === isJobSuspended) return [];
    return [{ job, reasons: isJobSuspended ? resumptionFailures : suspensionFailures }];
  });
}

const deletionFailures: ReadonlySet<string> = new Set([REASON_JOB_DELETION_FAILED]);
const suspensionFailures: ReadonlySet<string> = new Set([REASON_JOB_UPDATE_FAILED]);
const resumptionFailures: ReadonlySet<string> = new Set([
  REASON_JOB_UPDATE_FAILED,
  REASON_RESOURCE_PROPAGATION_FAILED,
]);

function lastEvent({ events }: JobSetView, reason: string) {
  return latestOf(events.filter((event) => event.reason === reason));
}

function needsEvents({ facts }: JobSetView) {
  return facts.wasRead("Event") ? pass : unknown("Event");
}

function needsServices(view: JobSetView) {
  return hasDnsHostnames(view.jobSet) && !view.facts.wasRead("Service") ? unknown("Service") : pass;
}

/** Whether the Service is there that the Pods need; `undefined` when none is needed, or nobody knows. */
function isServiceThere(view: JobSetView): boolean | undefined {
  if (!hasDnsHostnames(view.jobSet) || !view.facts.wasRead("Service")) return undefined;
  return serviceOf(view) !== undefined;
}

function serviceOf({ facts, jobSet, namespace }: JobSetView) {
  return facts.snapshot.service(namespace, subdomainOf(jobSet));
}

function serviceKey({ jobSet, namespace }: JobSetView) {
  return keyOfKind("Service", namespace, subdomainOf(jobSet));
}

function serviceForeign(view: JobSetView) {
  if (!hasDnsHostnames(view.jobSet)) return pass;
  const service = serviceOf(view);
  if (service === undefined) return needsServices(view);
  const selector = { labels: service.spec?.selector };
  const selected = labelOf({ metadata: selector }, JOBSET_NAME_KEY);
  const isHeadless = service.spec?.clusterIP === "None";
  if (isHeadless && selected === view.name) return pass;
  const object = serviceKey(view);
  const evidence = [
    isHeadless
      ? fieldOf(object, "spec.selector", selected === undefined ? "no JobSet" : selected)
      : fieldOf(object, "spec.clusterIP", textOf(service.spec?.clusterIP)),
  ];
  const text = `service ${nameOf(service)} does not select the pods of this JobSet`;
  return fail(text, { objects: [object], evidence });
}
