import { type JobSet, parseIntegerLabel, type Unvalidated } from "@jobset-ts/api";
import {
  JOB_INDEX_KEY,
  JOB_KEY_KEY,
  JOBSET_NAME_KEY,
  REPLICATED_JOB_NAME_KEY,
  RESTART_ATTEMPT_KEY,
} from "@jobset-ts/api/keys";
import {
  asArray,
  getControllerOf,
  getLabel,
  type Job,
  type JobTemplateSpec,
  type ObjectMeta,
  type Pod,
} from "@jobset-ts/api/kubernetes";
import { isTypedSubset, type ShapeName, setApiDefaults } from "@jobset-ts/api/typed";
import {
  createJobFactories,
  desiredService,
  desiredVolumeClaims,
  EXECUTION_ATTEMPT_KEY,
  type JobFactory,
} from "@jobset-ts/core/desired";
import { emptyMap, type PersistentMap } from "@jobset-ts/core/persistent-map";
import { isDeleting, isForeground } from "../api-server/deletion.ts";
import type { Objects, Stored } from "../api-server/objects.ts";
import { type Change, createObject } from "../kernel/component.ts";
import {
  attemptText,
  controllingJobSet,
  currentAttempt,
  getAttempt,
  getReplicatedJobName,
  getStoredJobs,
  isEarlier,
  isRelabelled,
  isTerminal,
  jobWrite,
  markChanges,
  relabelledKey,
  replicasByName,
  replicatedJobsByName,
  sameAttempt,
  seenJobSet,
  starts,
} from "./jobset-facts.ts";
import { isByManager, type SafetyLaw, type Sight } from "./law.ts";
import { missingIn } from "./missing-path.ts";

/** A Job that JobSet's controller has just created, with its JobSet. */
function createdJob(
  change: Change,
  objects: Objects,
): { readonly job: Job; readonly jobSet: JobSet | undefined } | undefined {
  const { verb, after } = change;
  if (verb !== "Added" || after?.kind !== "Job" || !isByManager(change)) return undefined;
  return { job: after as unknown as Job, jobSet: controllingJobSet(after, objects) };
}

/** A Job whose deletion JobSet's controller has just asked for, or asked for in another way, as it was before. */
function deletedJob(change: Change): Stored | undefined {
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
    createdOffAttempt(change, objects, (own, current) => !isEarlier(current, own)),
};

export const jobsBelongToCurrentAttempt: SafetyLaw = {
  name: "jobsBelongToCurrentAttempt",
  sentence: "A Job is created for the attempt that the JobSet's status has.",
  validUnder: "FreshCaches",
  memory: undefined,
  kinds: ["Job"],
  onChange: (change, { objects }) => createdOffAttempt(change, objects, sameAttempt),
};

/** A Job that was created for an attempt that does not fit to the status. */
function createdOffAttempt(
  change: Change,
  objects: Objects,
  fits: typeof sameAttempt,
): string | undefined {
  const { job, jobSet } = createdJob(change, objects) ?? {};
  if (job === undefined || jobSet === undefined) return undefined;
  const [own, current] = [getAttempt(job), currentAttempt(jobSet, job)];
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
    noteAbandoned(change, sight);
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
function noteAbandoned({ verb, before, actor }: Change, sight: Sight<JobPods>): void {
  if (verb !== "Deleted" || (before?.kind !== "Job" && before?.kind !== "JobSet")) return;
  const { makers, abandoned } = sight.memory;
  const owner = getControllerOf(before)?.uid ?? "";
  const isOrphan = before.kind === "Job" && controllingJobSet(before, sight.objects) === undefined;
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
    const jobSet = controllingJobSet(after, objects);
    return jobSet !== undefined && isTerminal(jobSet)
      ? `${after.kind} ${after.metadata.name} is created after the end`
      : undefined;
  },
};

export const childrenAreNamedAfterTheirPlace: SafetyLaw = {
  name: "childrenAreNamedAfterTheirPlace",
  sentence:
    "A Job is created as `<JobSet>-<ReplicatedJob>-<index>` with an index that the JobSet asks for, and its labels, and those of its Pods, say the same; no pass has them say something else later, unless what its Pods were made with.",
  validUnder: "Always",
  memory: undefined,
  kinds: ["Job"],
  onRequest: (request, { objects }) => {
    const { verb, before, after } = jobWrite(request, objects) ?? {};
    if (verb === "create" || before === undefined || after === undefined) return undefined;
    const key = relabelledKey(before, after);
    return key && `${verb} of Job ${after.metadata.name} changes its label ${key}`;
  },
  onChange: (change, { objects }) => {
    const created = createdJob(change, objects);
    if (created?.jobSet === undefined) return undefined;
    const { job, jobSet } = created;
    const replicatedJob = getLabel(job, REPLICATED_JOB_NAME_KEY) ?? "";
    const index = getLabel(job, JOB_INDEX_KEY) ?? "";
    const expected = `${jobSet.metadata.name}-${replicatedJob}-${index}`;
    if (job.metadata.name !== expected) return `Job ${job.metadata.name} is labelled ${expected}`;
    const replicas = replicasByName(jobSet).get(replicatedJob) ?? 0;
    if (!(/^\d+$/.test(index) && Number(index) < replicas))
      return `Job ${expected} is one of ${replicas}`;
    for (const key of [
      JOBSET_NAME_KEY,
      REPLICATED_JOB_NAME_KEY,
      JOB_INDEX_KEY,
      RESTART_ATTEMPT_KEY,
    ]) {
      if (getLabel(job, key) !== getLabel(job.spec.template, key)) {
        return `Job ${expected} and its Pods differ in the label ${key}`;
      }
    }
    return undefined;
  },
};

/** What a JobSet, as a pass saw it, asks for: asked for each object that the pass creates. */
interface Asking {
  readonly jobSet: JobSet;
  readonly constructors: readonly JobFactory[];
}

export const childrenAreAsTheirJobSetAsks: SafetyLaw<Asking | undefined> = {
  name: "childrenAreAsTheirJobSetAsks",
  sentence:
    "What a pass creates for the JobSet that it sees is as that asks for: controlled by it, unless it is a volume claim to be retained, and with the labels, annotations and members that it is to have; more it may have, but no other of JobSet's own keys.",
  validUnder: "Always",
  memory: undefined,
  onRequest: (request, sight) => {
    const { asked, context } = request;
    const jobSet = seenJobSet(request);
    if (jobSet === undefined || asked.verb !== "create") return undefined;
    const made = asked.object as unknown as Made;
    const { kind, metadata } = made;
    const told = `${kind} ${metadata.name}`;
    if (kind === "Job") {
      let seen = sight.memory;
      if (seen?.jobSet !== jobSet) {
        seen = { jobSet, constructors: createJobFactories(jobSet as Unvalidated<JobSet>, context) };
        sight.memory = seen;
      }
      const wanted = jobNamed(metadata.name ?? "", jobSet, seen.constructors);
      if (wanted !== undefined) return otherThan(wanted as unknown as Made, made, told);
      const isChild = getControllerOf(asked.object as never)?.uid === jobSet.metadata.uid;
      return isChild ? `${told} is none that the JobSet asks for` : undefined;
    }
    const wanted = [
      desiredService(jobSet as Unvalidated<JobSet>),
      ...desiredVolumeClaims(jobSet as Unvalidated<JobSet>),
    ].find((one) => one?.kind === kind && one.metadata.name === metadata.name);
    return wanted && otherThan(wanted as unknown as Made, made, told);
  },
};

/** An object that is made, as far as it is compared. */
interface Made {
  readonly kind: string;
  readonly status?: unknown;
  readonly metadata: Pick<ObjectMeta, "name" | "labels" | "annotations" | "ownerReferences">;
  readonly spec: { readonly template?: Made; readonly suspend?: unknown };
}

/** The Job of a name, if a JobSet asks for one. */
function jobNamed(
  name: string,
  { metadata }: JobSet,
  constructors: readonly JobFactory[],
): object | undefined {
  const hyphen = name.lastIndexOf("-");
  const [stem, index] = [name.slice(0, hyphen), name.slice(hyphen + 1)];
  const own = constructors.find((one) => stem === `${metadata.name}-${one.name}`);
  if (own === undefined || !/^(0|[1-9]\d*)$/.test(index) || Number(index) >= own.replicas)
    return undefined;
  return own.jobAt(Number(index));
}

/** Where something that is made is not as it is wanted; whether it runs at once is another question. */
function otherThan(wanted: Made, made: Made, told: string): string | undefined {
  const owner = asArray(wanted.metadata.ownerReferences)[0];
  const owners = asArray(made.metadata.ownerReferences);
  if (owner !== undefined) {
    if (missingIn(owners, [owner], "") !== undefined)
      return `${told} is not controlled by its JobSet`;
  } else if (owners.some(({ kind }) => kind === "JobSet")) {
    return `${told} is to be retained, and has an owner`;
  }
  const { suspend: _, template, ...spec } = wanted.spec;
  const missing = missingIn(made.spec, spec, "spec");
  const type = made.kind === "Job" ? "JobSpec" : "PersistentVolumeClaimSpec";
  if (missing !== undefined && !agrees(made.spec, spec, type))
    return `${told} differs in ${missing}`;
  const said = missingIn(undefined, made.status, "status");
  if (said !== undefined) return `${told} is created with ${said}`;
  const labelled = otherKeys(wanted.metadata, made.metadata);
  if (labelled !== undefined) return `${told} differs in ${labelled}`;
  if (template === undefined) return undefined;
  const ofPods = otherKeys(template.metadata, made.spec.template?.metadata ?? {});
  if (ofPods !== undefined) return `the Pods of ${told} differ in ${ofPods}`;
  const [own, asked] = [made.spec.template?.spec, template.spec];
  const other = missingIn(own, asked, "spec.template.spec");
  if (other === undefined || agrees(own, asked, "PodSpec")) return undefined;
  return `the Pods of ${told} differ in ${other}`;
}

/** Whether what is made says all that is wanted, perhaps in other spellings. */
function agrees(made: unknown, wanted: unknown, type: ShapeName): boolean {
  return isTypedSubset(setApiDefaults(wanted, type), setApiDefaults(made, type), type);
}

/** A label or annotation that is missing, is another, or is one of JobSet's keys that is not to be there. */
function otherKeys(wanted: Partial<ObjectMeta>, made: Partial<ObjectMeta>): string | undefined {
  for (const member of ["labels", "annotations"] as const) {
    const [asked, own] = [wanted[member] ?? {}, made[member] ?? {}];
    for (const key of new Set([...Object.keys(asked), ...Object.keys(own).filter(isJobSetKey)])) {
      // A pass counts executions before it creates the Jobs of the next one.
      if (key !== EXECUTION_ATTEMPT_KEY && asked[key] !== own[key]) return `the ${member} ${key}`;
    }
  }
  return undefined;
}

function isJobSetKey(key: string): boolean {
  return /^(alpha\.)?jobset\.sigs\.k8s\.io\//.test(key);
}

export const resumedJobsAreLabelledAnew: SafetyLaw = {
  name: "resumedJobsAreLabelledAnew",
  sentence:
    "A pass resumes a Job with the labels and annotations that it sees in the JobSet's Pod template, and no others, beside those that JobSet and the Job controller put there, which stay.",
  validUnder: "Always",
  memory: undefined,
  onRequest: (request, { objects }) => {
    const write = jobWrite(request, objects);
    if (write?.before === undefined || write.verb === "create" || !starts(write)) return undefined;
    const { jobSet, before, after } = write;
    if (isRelabelled(after)) return undefined;
    const name = getLabel(after, REPLICATED_JOB_NAME_KEY);
    const replicatedJob = replicatedJobsByName(jobSet).get(name);
    if (replicatedJob === undefined) return undefined;
    const selected = Object.keys(after.spec.selector?.matchLabels ?? {});
    const isOwn = (key: string) =>
      isJobSetKey(key) || JOB_CONTROLLER_KEY.test(key) || selected.includes(key);
    const templates = [before, after, replicatedJob.template as JobTemplateSpec | undefined].map(
      (one) => one?.spec.template.metadata ?? {},
    );
    for (const member of ["labels", "annotations"] as const) {
      const [had = {}, has = {}, asked = {}] = templates.map((one) => one[member]);
      for (const key of new Set([had, has, asked].flatMap(Object.keys))) {
        if (!isSetAnew(key) && has[key] !== (isOwn(key) ? had : asked)[key])
          return `the Pods of Job ${after.metadata.name} are resumed with other ${member}: ${key}`;
      }
    }
    return undefined;
  },
};

/** Keys that the Job controller puts on the Pods of a Job. */
const JOB_CONTROLLER_KEY = /^(batch\.kubernetes\.io\/)?(controller-uid|job-name)$/;

/** How Pods are placed, and which execution they are of, is what it is when their Job is resumed. */
function isSetAnew(key: string): boolean {
  return key.startsWith("alpha.jobset.sigs.k8s.io/") || key === EXECUTION_ATTEMPT_KEY;
}

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
    const deleted = deletedJob(change);
    if (deleted === undefined) return undefined;
    const { name } = deleted.metadata;
    if (!(change.after && isForeground(change.after)))
      return `Job ${name} is not deleted in the foreground`;
    const jobSet = controllingJobSet(deleted, objects);
    // The garbage collector would delete it next, or `foreignObjectsAreLeftAlone` speaks of it.
    if (jobSet === undefined) return undefined;
    const job = deleted as unknown as Job;
    // Neither of a ReplicatedJob that nobody knows, nor of an attempt that cannot be read, it is known that it has to go.
    const replicas = replicasByName(jobSet).get(getLabel(job, REPLICATED_JOB_NAME_KEY) ?? "");
    const isBeyond = replicas !== undefined && Number(getLabel(job, JOB_INDEX_KEY)) >= replicas;
    const isOver =
      parseIntegerLabel(getLabel(job, RESTART_ATTEMPT_KEY)).ok &&
      isEarlier(getAttempt(job), currentAttempt(jobSet, job));
    const isDue = isTerminal(jobSet) || isBeyond || isOver;
    return isDue ? undefined : `Job ${name} of the current attempt is deleted`;
  },
};

/** So often the creation of a Job is refused before all others are asked for: the controller may die meanwhile. */
const REFUSED_ENOUGH = 5;

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
    const jobSet = controllingJobSet(object as never, sight.objects);
    if (jobSet === undefined) return undefined;
    const { name = "", uid } = jobSet.metadata;
    const own = `${uid} ${object.metadata?.name}`;
    const times = (sight.memory.get(own) ?? 0) + 1;
    sight.memory = sight.memory.set(own, times);
    if (times <= REFUSED_ENOUGH) return undefined;
    const replicatedJob = getReplicatedJobName(object as never, jobSet);
    const replicas = replicasByName(jobSet).get(replicatedJob ?? "") ?? 0;
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
    const jobSet = seenJobSet(request);
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
      if (isAllowed || markChanges(request)?.some(isOfOthers) === false) return undefined;
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
    const { kind, metadata } = createObject(change);
    const { memory } = sight;
    if (verb === "Added" || before === undefined) {
      if (getControllerOf(createObject(change)) === undefined)
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
    const created = createdJob(change, objects);
    if (created?.jobSet === undefined || !isBlocking(created.jobSet)) return undefined;
    const { job, jobSet } = created;
    const left = getStoredJobs(jobSet, objects).find((one) =>
      isEarlier(getAttempt(one), currentAttempt(jobSet, one)),
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
