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
  attemptText,
  getAttempt,
  getControllingJobSet,
  getCurrentAttempt,
  getObservedJobSet,
  getReplicasByName,
  getReplicatedJobName,
  getStoredJobs,
  isEarlier,
  isTerminal,
  listMetadataChanges,
  sameAttempt,
} from "./jobset-facts.ts";
import { isByManager, type LawContext, type SafetyLaw } from "./law.ts";

/** A Job that JobSet's controller has just created, with its JobSet. */
export function getCreatedJob(
  change: Change,
  objects: Objects,
): { readonly job: Job; readonly jobSet: JobSet | undefined } | undefined {
  const { verb, after } = change;
  if (verb !== "Added" || after?.kind !== "Job" || !isByManager(change)) return undefined;
  return { job: after as unknown as Job, jobSet: getControllingJobSet(after, objects) };
}

/** A Job whose deletion JobSet's controller has just asked for, or asked for in another way, as it was before. */
function getDeletedJob(change: Change): Stored | undefined {
  const { before, after } = change;
  if (before?.kind !== "Job" || !isByManager(change)) return undefined;
  if (after !== undefined && !isDeleting(after)) return undefined;
  const waitsNoMore = isForeground(before) && !(after && isForeground(after));
  return !isDeleting(before) || waitsNoMore ? before : undefined;
}

export const jobsCarryAttemptsThatWereWritten: SafetyLaw = {
  name: "jobsCarryAttemptsThatWereWritten",
  sentence: "A Job is created for no attempt beyond those that the JobSet's status has.",
  validUnder: "Always",
  memory: undefined,
  kinds: ["Job"],
  onChange: (change, { objects }) =>
    findAttemptMismatch(change, objects, (own, current) => !isEarlier(current, own)),
};

export const jobsBelongToCurrentAttempt: SafetyLaw = {
  name: "jobsBelongToCurrentAttempt",
  sentence: "A Job is created for the attempt that the JobSet's status has.",
  validUnder: "FreshCaches",
  memory: undefined,
  kinds: ["Job"],
  onChange: (change, { objects }) => findAttemptMismatch(change, objects, sameAttempt),
};

/** A Job that was created for an attempt that does not fit to the status. */
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
    : `Job ${job.metadata.name} is of ${attemptText(own)}, and the status is at ${attemptText(current)}`;
}

interface JobPods {
  /** By job key, the UID of the Job that made its last Pod. */
  readonly makers: PersistentMap<string>;
  /** The UIDs of the Jobs, and JobSets, that a user deleted without waiting. */
  readonly abandoned: PersistentMap<true>;
}

export const podsBelongToOneAttemptAtATime: SafetyLaw<JobPods> = {
  name: "podsBelongToOneAttemptAtATime",
  sentence:
    "All Pods with one job key belong to one Job at a time, unless a user deleted that Job or its JobSet without waiting, or its JobSet is gone.",
  validUnder: "Always",
  memory: { makers: emptyMap(), abandoned: emptyMap() },
  kinds: ["JobSet", "Job", "Pod"],
  onChange: (change, sight) => {
    recordAbandoned(change, sight);
    const { verb, after, actor } = change;
    if (verb !== "Added" || after?.kind !== "Pod" || actor === "user") return undefined;
    const key = getLabel(after, JOB_KEY_KEY);
    const uid = getControllerOf(after)?.uid;
    if (key === undefined || uid === undefined) return undefined;
    const { makers, abandoned } = sight.memory;
    const before = makers.get(`${after.metadata.namespace}/${key}`);
    sight.memory = { abandoned, makers: makers.set(`${after.metadata.namespace}/${key}`, uid) };
    if (before === undefined || before === uid || abandoned.get(before)) return undefined;
    const left = sight.objects.ownedBy(before).find(({ kind }) => kind === "Pod");
    return (
      left &&
      `Pod ${after.metadata.name} starts while ${left.metadata.name} of the Job before is still there`
    );
  },
};

/**
 * Keeps which Jobs went at once because a user wanted it so, or because their JobSet is not there any more and only a
 * controller that has not heard of that makes them; Pods of theirs may be left.
 */
function recordAbandoned({ verb, before, actor }: Change, sight: LawContext<JobPods>): void {
  if (verb !== "Deleted" || (before?.kind !== "Job" && before?.kind !== "JobSet")) return;
  const { makers, abandoned } = sight.memory;
  const owner = getControllerOf(before)?.uid ?? "";
  const isOrphan =
    before.kind === "Job" && getControllingJobSet(before, sight.objects) === undefined;
  if (actor !== "user" && !isOrphan && !abandoned.get(owner)) return;
  sight.memory = { makers, abandoned: abandoned.set(before.metadata.uid ?? "", true) };
}

export const nothingIsCreatedAfterTheEnd: SafetyLaw = {
  name: "nothingIsCreatedAfterTheEnd",
  sentence: "No Job, Service or volume claim is created for a JobSet that has completed or failed.",
  validUnder: "FreshCaches",
  memory: undefined,
  onChange: (change, { objects }) => {
    const { verb, after } = change;
    if (verb !== "Added" || after === undefined || !isByManager(change)) return undefined;
    const jobSet = getControllingJobSet(after, objects);
    return jobSet !== undefined && isTerminal(jobSet)
      ? `${after.kind} ${after.metadata.name} is created after the end`
      : undefined;
  },
};

export const deletionsWaitAndAreDue: SafetyLaw = {
  name: "deletionsWaitAndAreDue",
  sentence:
    "The controller deletes a Job in the foreground, and only one of an attempt that is over, of a JobSet that has ended or is gone, or at an index beyond the replicas of its ReplicatedJob; what its labels do not say is no reason; a pass asks for none that it sees being deleted, and plans none twice.",
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
  onRequest: ({ asked, snapshot }) => {
    if (asked.verb !== "delete" || asked.object.kind !== "Job") return undefined;
    const { namespace = "", name = "" } = asked.object.metadata ?? {};
    const isGoing = snapshot.job(namespace, name)?.metadata?.deletionTimestamp !== undefined;
    return isGoing ? `Job ${name} is being deleted already` : undefined;
  },
  onChange: (change, { objects }) => {
    const deleted = getDeletedJob(change);
    if (deleted === undefined) return undefined;
    const { name } = deleted.metadata;
    if (!(change.after && isForeground(change.after)))
      return `Job ${name} is not deleted in the foreground`;
    const jobSet = getControllingJobSet(deleted, objects);
    // The garbage collector would delete it next, or `foreignObjectsAreLeftAlone` speaks of it.
    if (jobSet === undefined) return undefined;
    const job = deleted as unknown as Job;
    // Neither of a ReplicatedJob that nobody knows, nor of an attempt that cannot be read, it is known that it has to go.
    const replicas = getReplicasByName(jobSet).get(getLabel(job, REPLICATED_JOB_NAME_KEY) ?? "");
    const isBeyond = replicas !== undefined && Number(getLabel(job, JOB_INDEX_KEY)) >= replicas;
    const isOver =
      parseIntegerLabel(getLabel(job, RESTART_ATTEMPT_KEY)).ok &&
      isEarlier(getAttempt(job), getCurrentAttempt(jobSet, job));
    const isDue = isTerminal(jobSet) || isBeyond || isOver;
    return isDue ? undefined : `Job ${name} of the current attempt is deleted`;
  },
};

/** So often the creation of a Job is refused before all others are asked for: the controller may die meanwhile. */
const MAX_REJECTIONS = 5;

export const oneRefusalKeepsNoOtherJobBack: SafetyLaw<PersistentMap<number>> = {
  name: "oneRefusalKeepsNoOtherJobBack",
  sentence:
    "Where the creation of a Job is refused again and again, all other Jobs of its ReplicatedJob have been asked for.",
  validUnder: "Always",
  // Whoever sends one request a pass, or one after the other, does not come to those behind it.
  appliesTo: "BuiltInController",
  memory: emptyMap(),
  kinds: ["Job"],
  onRefusal: (refused, sight) => {
    const { verb, object } = refused.request;
    if (!isByManager(refused) || verb !== "create" || object.kind !== "Job") return undefined;
    const jobSet = getControllingJobSet(object as never, sight.objects);
    if (jobSet === undefined) return undefined;
    const { name = "", uid } = jobSet.metadata;
    const own = `${uid} ${object.metadata?.name}`;
    const times = (sight.memory.get(own) ?? 0) + 1;
    sight.memory = sight.memory.set(own, times);
    if (times <= MAX_REJECTIONS) return undefined;
    const replicatedJob = getReplicatedJobName(object as never, jobSet);
    const replicas = getReplicasByName(jobSet).get(replicatedJob ?? "") ?? 0;
    for (let at = 0; at < replicas; at++) {
      const left = `${name}-${replicatedJob}-${at}`;
      if (sight.memory.get(`${uid} ${left}`) === undefined)
        return `Job ${object.metadata?.name} is refused ${times} times, and ${left} not asked for`;
    }
    return undefined;
  },
  onChange: ({ verb, after }, sight) => {
    if (verb !== "Added" || after?.kind !== "Job") return undefined;
    const key = `${getControllerOf(after)?.uid} ${after.metadata.name}`;
    sight.memory = sight.memory.set(key, 0);
    return undefined;
  },
};

export const foreignObjectsAreLeftAlone: SafetyLaw<PersistentMap<true>> = {
  name: "foreignObjectsAreLeftAlone",
  sentence:
    "The controller changes and deletes nothing but JobSets, what JobSets control, what it has created itself, and their Pods; a pass requests only changes of its JobSet's status, of labels, annotations and finalizers that it adds to the JobSet, and of what this JobSet controls, and no deletion of anything else.",
  validUnder: "Always",
  /**
   * What was asked of objects that their JobSet controlled, by their UIDs: by the time that a request arrives it may do so no longer;
   * what the controller has created, and what it has added to JobSets.
   */
  memory: emptyMap(),
  onRequest: (request, sight) => {
    const { objects } = sight;
    const { asked, pass, snapshot } = request;
    const jobSet = getObservedJobSet(request);
    if (jobSet === undefined || asked.verb === "create") return undefined;
    const { kind, metadata } = asked.object;
    const { namespace = "", name = "" } = metadata ?? {};
    const told = `${asked.verb} of ${kind} ${name}`;
    if (kind === "JobSet") {
      const isOwn = namespace === pass.namespace && name === pass.name;
      if (!isOwn) return `${told} by a pass over JobSet ${pass.name}`;
      const isAllowed = asked.subresource === "status" || asked.verb === "delete";
      const isOfOthers = (mark: string) => {
        const key = `${jobSet.metadata.uid} ${mark.replace(/^added /, "")}`;
        if (mark.startsWith("added ")) sight.memory = sight.memory.set(key, true);
        return !sight.memory.get(key);
      };
      if (isAllowed || listMetadataChanges(request)?.some(isOfOthers) === false) return undefined;
      return `${told}, and not of its status`;
    }
    const object = snapshot.object(kind, namespace, name) ?? objects.get(kind, namespace, name);
    if (object === undefined) return undefined;
    if (sight.memory.get(`created ${object.metadata?.uid}`)) return undefined;
    if (getControllerOf(object)?.uid !== jobSet.metadata.uid)
      return `${told}, which JobSet ${pass.name} does not control`;
    sight.memory = sight.memory.set(object.metadata?.uid ?? "", true);
    return undefined;
  },
  onChange: (change, sight) => {
    const { verb, before } = change;
    if (!isByManager(change)) return undefined;
    const { kind, metadata } = getChangedObject(change);
    const { memory } = sight;
    if (verb === "Added" || before === undefined) {
      if (getControllerOf(getChangedObject(change)) === undefined)
        sight.memory = memory.set(`created ${metadata.uid}`, true);
      return undefined;
    }
    if (memory.get(`created ${metadata.uid}`)) return undefined;
    if (kind === "JobSet" || getControllerOf(before)?.kind === "JobSet") return undefined;
    if (memory.get(metadata.uid ?? "") !== undefined) return undefined;
    if (kind === "Pod" && getLabel(before as unknown as Pod, JOBSET_NAME_KEY) !== undefined)
      return undefined;
    return `${kind} ${metadata.name}, which no JobSet controls, is ${verb.toLowerCase()}`;
  },
};

export const restartsWaitForAllJobsToGo: SafetyLaw = {
  name: "restartsWaitForAllJobsToGo",
  sentence:
    "Under BlockingRecreate no Job is created while one of an earlier attempt is there, even if it is being deleted.",
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
      `Job ${job.metadata.name} is created while ${left.metadata.name} is of ${attemptText(getAttempt(left))}`
    );
  },
};

function isBlocking({ spec }: JobSet): boolean {
  return spec.failurePolicy?.restartStrategy === "BlockingRecreate";
}
