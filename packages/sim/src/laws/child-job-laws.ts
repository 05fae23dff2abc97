import { type JobSet, parseIntegerLabel } from "@jobset-ts/api";
import {
  JOB_INDEX_KEY,
  JOB_KEY_KEY,
  JOBSET_NAME_KEY,
  REPLICATED_JOB_NAME_KEY,
  RESTART_ATTEMPT_KEY,
} from "@jobset-ts/api/keys";
import { getControllerOf, getLabel, type Job, type Pod } from "@jobset-ts/api/kubernetes";
import { emptyMap, type PersistentMap } from "@jobset-ts/core/persistent-map";
import { isDeleting, isForeground } from "../api-server/deletion.ts";
import type { Objects, Stored } from "../api-server/objects.ts";
import { type Change, getChangedObject } from "../kernel/component.ts";
import {
  getControllingJobSet,
  getReplicasByName,
  getReplicatedJobName,
  getStoredJobs,
  isTerminal,
} from "./jobset-facts.ts";
import { isByManager, type LawContext, type SafetyLaw } from "./law.ts";
import { getObservedJobSet, listMetadataChanges } from "./request-facts.ts";
import {
  attemptText,
  getAttempt,
  getCurrentAttempt,
  isEarlier,
  sameAttempt,
} from "./restart-attempt.ts";

/** Returns a Job that the JobSet controller has just created, with its JobSet. */
export function getCreatedJob(
  change: Change,
  objects: Objects,
): { readonly job: Job; readonly jobSet: JobSet | undefined } | undefined {
  const { verb, after } = change;
  if (verb !== "Added" || after?.kind !== "Job" || !isByManager(change)) return undefined;
  return { job: after as unknown as Job, jobSet: getControllingJobSet(after, objects) };
}

/**
 * Returns a Job whose deletion the JobSet controller has just requested, or requested with another propagation policy,
 * in its state before the request.
 */
function getDeletedJob(change: Change): Stored | undefined {
  const { before, after } = change;
  if (before?.kind !== "Job" || !isByManager(change)) return undefined;
  if (after !== undefined && !isDeleting(after)) return undefined;
  const waitsNoMore = isForeground(before) && !(after && isForeground(after));
  return !isDeleting(before) || waitsNoMore ? before : undefined;
}

export const jobsHaveRecordedAttempts: SafetyLaw = {
  name: "jobsHaveRecordedAttempts",
  sentence: "No Job is created for an attempt later than those in the JobSet's status.",
  validUnder: "Always",
  memory: undefined,
  kinds: ["Job"],
  onChange: (change, { objects }) =>
    findAttemptMismatch(change, objects, (own, current) => !isEarlier(current, own)),
};

export const jobsBelongToCurrentAttempt: SafetyLaw = {
  name: "jobsBelongToCurrentAttempt",
  sentence: "A Job is created for the attempt in the JobSet's status.",
  validUnder: "FreshCaches",
  memory: undefined,
  kinds: ["Job"],
  onChange: (change, { objects }) => findAttemptMismatch(change, objects, sameAttempt),
};

/** Reports a Job that was created for an attempt that does not match the status. */
function findAttemptMismatch(
  change: Change,
  objects: Objects,
  fits: typeof sameAttempt,
): string | undefined {
  const { job, jobSet } = getCreatedJob(change, objects) ?? {};
  if (job === undefined || jobSet === undefined) return undefined;
  const [own, current] = [getAttempt(job), getCurrentAttempt(jobSet, job)];
  return fits(own, current)
    ? undefined
    : `Job ${job.metadata.name} is created for ${attemptText(own)}, but the status is at ${attemptText(current)}`;
}

interface JobPods {
  /** By job key: the UID of the Job that created the last Pod with it. */
  readonly makers: PersistentMap<string>;
  /** The UIDs of the Jobs and JobSets that a user deleted with background propagation or as orphans. */
  readonly abandoned: PersistentMap<true>;
}

export const podsBelongToOneAttemptAtATime: SafetyLaw<JobPods> = {
  name: "podsBelongToOneAttemptAtATime",
  sentence:
    "All Pods with one job key belong to one Job at a time, unless a user deleted that Job or its JobSet without foreground propagation, or the JobSet is gone.",
  validUnder: "Always",
  memory: { makers: emptyMap(), abandoned: emptyMap() },
  kinds: ["JobSet", "Job", "Pod"],
  onChange: (change, context) => {
    recordAbandoned(change, context);
    const { verb, after, actor } = change;
    if (verb !== "Added" || after?.kind !== "Pod" || actor === "user") return undefined;
    const key = getLabel(after, JOB_KEY_KEY);
    const uid = getControllerOf(after)?.uid;
    if (key === undefined || uid === undefined) return undefined;
    const { makers, abandoned } = context.memory;
    const before = makers.get(`${after.metadata.namespace}/${key}`);
    context.memory = { abandoned, makers: makers.set(`${after.metadata.namespace}/${key}`, uid) };
    if (before === undefined || before === uid || abandoned.get(before)) return undefined;
    const left = context.objects.ownedBy(before).find(({ kind }) => kind === "Pod");
    return (
      left &&
      `Pod ${after.metadata.name} starts while ${left.metadata.name} of the previous Job still exists`
    );
  },
};

/**
 * Records the Jobs that were deleted without waiting for their Pods. Either a user requested that, or the JobSet is
 * gone and a controller with stale caches created the Jobs. Pods of these Jobs may remain.
 */
function recordAbandoned({ verb, before, actor }: Change, context: LawContext<JobPods>): void {
  if (verb !== "Deleted" || (before?.kind !== "Job" && before?.kind !== "JobSet")) return;
  const { makers, abandoned } = context.memory;
  const owner = getControllerOf(before)?.uid ?? "";
  const isOrphan =
    before.kind === "Job" && getControllingJobSet(before, context.objects) === undefined;
  if (actor !== "user" && !isOrphan && !abandoned.get(owner)) return;
  context.memory = { makers, abandoned: abandoned.set(before.metadata.uid ?? "", true) };
}

export const finishedJobSetsGetNoNewObjects: SafetyLaw = {
  name: "finishedJobSetsGetNoNewObjects",
  sentence:
    "No Job, Service or PersistentVolumeClaim is created for a JobSet that has completed or failed.",
  validUnder: "FreshCaches",
  memory: undefined,
  onChange: (change, { objects }) => {
    const { verb, after } = change;
    if (verb !== "Added" || after === undefined || !isByManager(change)) return undefined;
    const jobSet = getControllingJobSet(after, objects);
    return jobSet !== undefined && isTerminal(jobSet)
      ? `${after.kind} ${after.metadata.name} is created after the JobSet has finished`
      : undefined;
  },
};

export const deletionsAreForegroundAndNeeded: SafetyLaw = {
  name: "deletionsAreForegroundAndNeeded",
  sentence:
    "The controller deletes a Job in the foreground, and only if the Job belongs to an earlier attempt, its JobSet is finished or gone, or its index is not below the replicas. Missing labels are not a reason. The controller deletes no Job twice, and no Job that it sees being deleted.",
  validUnder: "Always",
  memory: undefined,
  kinds: ["Job"],
  onPlan: ({ plan }) => {
    const names = new Set<string>();
    for (const { verb, target } of plan.steps.flatMap(({ effects }) => effects)) {
      if (verb !== "delete" || target.kind !== "Job") continue;
      if (names.has(target.name)) return `Job ${target.name} is deleted twice`;
      names.add(target.name);
    }
    return undefined;
  },
  onRequest: ({ request, snapshot }) => {
    if (request.verb !== "delete" || request.object.kind !== "Job") return undefined;
    const { namespace = "", name = "" } = request.object.metadata ?? {};
    const isGoing = snapshot.job(namespace, name)?.metadata?.deletionTimestamp !== undefined;
    return isGoing ? `Job ${name} is already being deleted` : undefined;
  },
  onChange: (change, { objects }) => {
    const deleted = getDeletedJob(change);
    if (deleted === undefined) return undefined;
    const { name } = deleted.metadata;
    if (!(change.after && isForeground(change.after)))
      return `Job ${name} is not deleted in the foreground`;
    const jobSet = getControllingJobSet(deleted, objects);
    // Otherwise, the garbage collector would delete the Job next, or `foreignObjectsAreLeftAlone` would
    // report the deletion.
    if (jobSet === undefined) return undefined;
    const job = deleted as unknown as Job;
    // If the ReplicatedJob is unknown or the attempt cannot be parsed, it is unknown whether the Job must be
    // deleted.
    const replicas = getReplicasByName(jobSet).get(getLabel(job, REPLICATED_JOB_NAME_KEY) ?? "");
    const isBeyond = replicas !== undefined && Number(getLabel(job, JOB_INDEX_KEY)) >= replicas;
    const isOver =
      parseIntegerLabel(getLabel(job, RESTART_ATTEMPT_KEY)).ok &&
      isEarlier(getAttempt(job), getCurrentAttempt(jobSet, job));
    const isDue = isTerminal(jobSet) || isBeyond || isOver;
    return isDue ? undefined : `Job ${name} of the current attempt is deleted`;
  },
};

/** The controller may crash before it requests the other creations, so a few rejections are allowed. */
const MAX_REJECTIONS = 5;

export const rejectedJobsDoNotBlockOthers: SafetyLaw<PersistentMap<number>> = {
  name: "rejectedJobsDoNotBlockOthers",
  sentence:
    "If the API server keeps rejecting the creation of one Job, the controller still creates all other Jobs of the ReplicatedJob.",
  validUnder: "Always",
  // A controller that sends one request per pass, or sends requests in sequence, never reaches the Jobs behind the
  // rejected one.
  appliesTo: "BuiltInController",
  memory: emptyMap(),
  kinds: ["Job"],
  onRejection: (rejected, context) => {
    const { verb, object } = rejected.request;
    if (!isByManager(rejected) || verb !== "create" || object.kind !== "Job") return undefined;
    const jobSet = getControllingJobSet(object as never, context.objects);
    if (jobSet === undefined) return undefined;
    const { name = "", uid } = jobSet.metadata;
    const own = `${uid} ${object.metadata?.name}`;
    const times = (context.memory.get(own) ?? 0) + 1;
    context.memory = context.memory.set(own, times);
    if (times <= MAX_REJECTIONS) return undefined;
    const replicatedJob = getReplicatedJobName(object as never, jobSet);
    const replicas = getReplicasByName(jobSet).get(replicatedJob ?? "") ?? 0;
    for (let at = 0; at < replicas; at++) {
      const left = `${name}-${replicatedJob}-${at}`;
      if (context.memory.get(`${uid} ${left}`) === undefined)
        return `the creation of Job ${object.metadata?.name} was rejected ${times} times, and the creation of ${left} was never requested`;
    }
    return undefined;
  },
  onChange: ({ verb, after }, context) => {
    if (verb !== "Added" || after?.kind !== "Job") return undefined;
    const key = `${getControllerOf(after)?.uid} ${after.metadata.name}`;
    context.memory = context.memory.set(key, 0);
    return undefined;
  },
};

export const foreignObjectsAreLeftAlone: SafetyLaw<PersistentMap<true>> = {
  name: "foreignObjectsAreLeftAlone",
  sentence:
    "The controller changes and deletes only JobSets, objects that JobSets control, objects that it created, and their Pods. In its JobSet, a pass changes only the status and the labels, annotations and finalizers that it adds. Of other objects, it changes only those that this JobSet controls.",
  validUnder: "Always",
  /**
   * The requests for objects that a JobSet controlled, by UID, because a JobSet may have lost control of the object
   * when the request arrives. Also the objects that the controller created, and what it added to JobSets.
   */
  memory: emptyMap(),
  onRequest: (note, context) => {
    const { objects } = context;
    const { request, pass, snapshot } = note;
    const jobSet = getObservedJobSet(note);
    if (jobSet === undefined || request.verb === "create") return undefined;
    const { kind, metadata } = request.object;
    const { namespace = "", name = "" } = metadata ?? {};
    const action = `${request.verb} of ${kind} ${name}`;
    if (kind === "JobSet") {
      const isOwn = namespace === pass.namespace && name === pass.name;
      if (!isOwn) return `${action} by a pass over JobSet ${pass.name}`;
      const isAllowed = request.subresource === "status" || request.verb === "delete";
      const isOfOthers = (mark: string) => {
        const key = `${jobSet.metadata.uid} ${mark.replace(/^added /, "")}`;
        if (mark.startsWith("added ")) context.memory = context.memory.set(key, true);
        return !context.memory.get(key);
      };
      if (isAllowed || listMetadataChanges(note)?.some(isOfOthers) === false) return undefined;
      return `${action}, but not its status`;
    }
    const object = snapshot.object(kind, namespace, name) ?? objects.get(kind, namespace, name);
    if (object === undefined) return undefined;
    if (context.memory.get(`created ${object.metadata?.uid}`)) return undefined;
    if (getControllerOf(object)?.uid !== jobSet.metadata.uid)
      return `${action}, which JobSet ${pass.name} does not control`;
    context.memory = context.memory.set(object.metadata?.uid ?? "", true);
    return undefined;
  },
  onChange: (change, context) => {
    const { verb, before } = change;
    if (!isByManager(change)) return undefined;
    const { kind, metadata } = getChangedObject(change);
    const { memory } = context;
    if (verb === "Added" || before === undefined) {
      if (getControllerOf(getChangedObject(change)) === undefined)
        context.memory = memory.set(`created ${metadata.uid}`, true);
      return undefined;
    }
    if (memory.get(`created ${metadata.uid}`)) return undefined;
    if (kind === "JobSet" || getControllerOf(before)?.kind === "JobSet") return undefined;
    if (memory.get(metadata.uid ?? "") !== undefined) return undefined;
    if (kind === "Pod" && getLabel(before as unknown as Pod, JOBSET_NAME_KEY) !== undefined)
      return undefined;
    return `${verb.toLowerCase()} of ${kind} ${metadata.name}, which no JobSet controls`;
  },
};

export const restartsWaitForDeletedJobs: SafetyLaw = {
  name: "restartsWaitForDeletedJobs",
  sentence:
    "Under BlockingRecreate, no Job is created while a Job of an earlier attempt exists, even if that Job is being deleted.",
  validUnder: "FreshCaches",
  memory: undefined,
  kinds: ["Job"],
  onChange: (change, { objects }) => {
    const created = getCreatedJob(change, objects);
    if (created?.jobSet === undefined || !isBlocking(created.jobSet)) return undefined;
    const { job, jobSet } = created;
    const left = getStoredJobs(jobSet, objects).find((one) =>
      isEarlier(getAttempt(one), getCurrentAttempt(jobSet, one)),
    );
    return (
      left &&
      `Job ${job.metadata.name} is created while ${left.metadata.name} of ${attemptText(getAttempt(left))} exists`
    );
  },
};

function isBlocking({ spec }: JobSet): boolean {
  return spec.failurePolicy?.restartStrategy === "BlockingRecreate";
}
