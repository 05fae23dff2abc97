import {
  getReplicas,
  getReplicatedJobs,
  getRestarts,
  type JobSet,
  type JobSetStatus,
  jobName,
  parseIntegerLabel,
  type ReplicatedJob,
  type ReplicatedJobStatus,
  type Unvalidated,
} from "@jobset-ts/api";
import {
  CONDITION_COMPLETED,
  CONDITION_FAILED,
  JOB_CONDITION_COMPLETE,
  JOB_CONDITION_FAILED,
} from "@jobset-ts/api/conditions";
import {
  JOB_INDEX_KEY,
  JOB_RESTART_ATTEMPT_KEY,
  JOBSET_CONTROLLER_NAME,
  REPLICATED_JOB_NAME_KEY,
  RESTART_ATTEMPT_KEY,
} from "@jobset-ts/api/keys";
import {
  applyMergePatch,
  asArray,
  asInteger,
  getLabel,
  type Job,
  type ObjectMeta,
} from "@jobset-ts/api/kubernetes";
import { semanticEqual } from "@jobset-ts/api/typed";
import type { Plan, Snapshot } from "@jobset-ts/core";
import type { RequestedObject, ServerRequest } from "../api-server/api-request.ts";
import { isConditionTrue } from "../api-server/conditions.ts";
import type { Objects, Stored } from "../api-server/objects.ts";
import { isEqualJson } from "../api-server/stored-values.ts";
import type { PlanNote, RequestNote } from "../jobset-controller/pass-note.ts";
import type { Change } from "../kernel/component.ts";

/**
 * Returns a function that computes a value once for each object, because many laws read the same value. Versions of
 * stored objects and requests never change.
 */
function memoizeBy<Key extends object, Value>(
  compute: (object: Key) => Value,
): (object: Key) => Value {
  const computed = new WeakMap<Key, { readonly value: Value }>();
  return (object) => {
    let known = computed.get(object);
    if (known === undefined) {
      known = { value: compute(object) };
      computed.set(object, known);
    }
    return known.value;
  };
}

/** Returns a pass over a JobSet with the JobSet that it sees. `undefined` if it sees none or is a placement pass. */
export function createPass({
  plan,
  snapshot,
}: PlanNote): { readonly plan: Plan; readonly jobSet: JobSet } | undefined {
  if (!("jobSet" in plan)) return undefined;
  const jobSet = snapshot.jobSet(plan.jobSet.namespace, plan.jobSet.name) as JobSet | undefined;
  return jobSet && { plan, jobSet };
}

/** Returns the JobSet that the pass of a request sees. `undefined` if it sees none or is a placement pass. */
export function getObservedJobSet({ pass, snapshot }: RequestNote): JobSet | undefined {
  if (pass.kind !== "JobSet") return undefined;
  return snapshot.jobSet(pass.namespace, pass.name) as JobSet | undefined;
}

/** The object of a request: before, as the pass sees it, and after. */
export const getRequestedChange = memoizeBy(({ request, snapshot }: RequestNote) => {
  const { kind, metadata } = request.object;
  const { namespace = "", name = "" } = metadata ?? {};
  const before = snapshot.object(kind, namespace, name) as RequestedObject | undefined;
  return { before, after: applyRequest(before, request) };
});

/** Returns the object that results from a write. */
function applyRequest(
  before: RequestedObject | undefined,
  { verb, object }: ServerRequest,
): RequestedObject {
  return verb === "patch" ? (applyMergePatch(before, object) as RequestedObject) : object;
}

/**
 * A request of a pass to create or change a Job: the Job before, as the pass sees it, and after. For a patch, the Job
 * before is the stored one, because the pass may have patched it already.
 */
export interface JobWrite {
  readonly jobSet: JobSet;
  readonly verb: ServerRequest["verb"];
  readonly before: Job | undefined;
  readonly after: Job;
}

export function jobWrite(request: RequestNote, objects: Objects): JobWrite | undefined {
  const { verb, object, subresource } = request.request;
  if (object.kind !== "Job" || subresource !== undefined || verb === "delete") return undefined;
  const jobSet = getObservedJobSet(request);
  if (jobSet === undefined) return undefined;
  const { namespace = "", name = "" } = object.metadata ?? {};
  const stored = verb === "patch" ? objects.get<Job>("Job", namespace, name) : undefined;
  const before = stored ?? (request.snapshot.job(namespace, name) as Job | undefined);
  const after = applyRequest(before as unknown as RequestedObject | undefined, request.request);
  return { jobSet, verb, before, after: after as unknown as Job };
}

/**
 * Returns the labels, annotations and finalizers that a request changes, with the prefix `added` for new ones.
 * `undefined` if the request changes anything else, or nothing.
 */
export function listMetadataChanges(request: RequestNote): readonly string[] | undefined {
  const { before, after } = getRequestedChange(request) as Readonly<
    Record<string, CleanableJobSet | undefined>
  >;
  if (request.request.verb === "delete" || before === undefined || after === undefined)
    return undefined;
  if (
    !isEqualJson(before.spec, after.spec) &&
    !semanticEqual(before.spec, after.spec, "JobSetSpec")
  )
    return undefined;
  if (!isEqualJson(before.metadata?.ownerReferences ?? [], after.metadata?.ownerReferences ?? []))
    return undefined;
  const [was, is] = [before, after].map(createMarks);
  const names = [...new Set([...(was?.keys() ?? []), ...(is?.keys() ?? [])])];
  const changed = names.filter((name) => was?.get(name) !== is?.get(name));
  return changed.length === 0
    ? undefined
    : changed.map((name) => (was?.has(name) ? name : `added ${name}`));
}

interface CleanableJobSet {
  readonly metadata?: Partial<ObjectMeta>;
  readonly spec?: unknown;
}

function createMarks({ metadata = {} }: CleanableJobSet): ReadonlyMap<string, string> {
  const { labels, annotations, finalizers } = metadata;
  return new Map([
    ...Object.entries(labels ?? {}).map(([key, value]) => [`label ${key}`, value] as const),
    ...Object.entries(annotations ?? {}).map(
      ([key, value]) => [`annotation ${key}`, value] as const,
    ),
    ...asArray(finalizers).map((name) => [`finalizer ${name}`, ""] as const),
  ]);
}

/** Returns a JobSet as a pass sees it, and the status that the pass writes. */
export function getStatusWrite(
  request: RequestNote,
): { readonly jobSet: JobSet; readonly status: JobSetStatus | undefined } | undefined {
  const { object, subresource } = request.request;
  if (object.kind !== "JobSet" || subresource !== "status") return undefined;
  const { before, after } = getRequestedChange(request) as unknown as Record<
    "before" | "after",
    JobSet
  >;
  return before && { jobSet: before, status: after.status ?? undefined };
}

/** Returns a JobSet before and after a change. `undefined` for a creation or deletion. */
export function getJobSetVersions({
  before,
  after,
}: Change): { readonly before: JobSet; readonly after: JobSet } | undefined {
  if (before?.kind !== "JobSet" || after === undefined) return undefined;
  return { before: before as unknown as JobSet, after: after as unknown as JobSet };
}

/** Returns the stored JobSet that controls an object. */
export function getControllingJobSet(object: Stored, objects: Objects): JobSet | undefined {
  const owner = asArray(object.metadata.ownerReferences).find(
    ({ controller, kind }) => controller === true && kind === "JobSet",
  );
  if (owner === undefined) return undefined;
  const found = objects.get<JobSet>("JobSet", object.metadata.namespace ?? "", owner.name);
  return found?.metadata.uid === owner.uid ? found : undefined;
}

/** Returns the stored child Jobs of a JobSet. */
export function getStoredJobs(jobSet: JobSet, objects: Objects): readonly Job[] {
  const owned = objects.ownedBy(jobSet.metadata.uid ?? "");
  return owned.filter(({ kind }) => kind === "Job") as unknown as readonly Job[];
}

/** Returns the child Jobs of the current attempt that a pass sees, including those that the JobSet does not request. */
export function getCurrentJobs(jobSet: JobSet, snapshot: Snapshot): readonly Job[] {
  const jobs = snapshot.childJobs(jobSet as Unvalidated<JobSet>) as readonly Job[];
  return jobs.filter((job) => !isEarlier(getAttempt(job), getCurrentAttempt(jobSet, job)));
}

/** The labels that identify the position of a Job in its JobSet. */
const POSITION_KEYS = [REPLICATED_JOB_NAME_KEY, JOB_INDEX_KEY, JOB_RESTART_ATTEMPT_KEY];
/** The labels of the position and of the JobSet's restart attempt. */
const POSITION_AND_ATTEMPT_KEYS = [...POSITION_KEYS, RESTART_ATTEMPT_KEY];

/**
 * Reports whether another client has changed the position or attempt labels of a Job. The Pod template has the original
 * labels. The controller may have identified such a Job by its labels or by its name, before or after the change. So a
 * law accepts both.
 */
export const isRelabelled = memoizeBy((job: Job) =>
  POSITION_AND_ATTEMPT_KEYS.some((key) => isChanged(job, key)),
);

/**
 * Reports whether a Job's changed labels make its position or attempt unreadable. Then no pass over its JobSet may be
 * able to do anything. A Job with another valid attempt label simply belongs to that attempt.
 */
function isUnidentifiable(job: Job): boolean {
  const attempt = parseIntegerLabel(getLabel(job, RESTART_ATTEMPT_KEY));
  return POSITION_KEYS.some((key) => isChanged(job, key)) || !attempt.ok;
}

/**
 * Returns a position or attempt label of the Job or its Pods that a write changes to a value other than the one that
 * the Pods were created with.
 */
export function findRelabelledKey(before: Job, after: Job): string | undefined {
  return POSITION_AND_ATTEMPT_KEYS.find((key) => {
    const created = getLabel(before.spec.template, key);
    const [was, is] = [before, after].map((job) => getLabel(job, key));
    return (is !== was && is !== created) || getLabel(after.spec.template, key) !== created;
  });
}

function isChanged(job: Job, key: string): boolean {
  return getLabel(job, key) !== getLabel(job.spec.template, key);
}

/** Reports whether a JobSet has a Job with an unreadable position or attempt. */
export function hasUnidentifiableJobs(jobSet: JobSet, objects: Objects): boolean {
  return getStoredJobs(jobSet, objects).some(isUnidentifiable);
}

/** Returns the number of child Jobs in a pass's view that have changed labels. */
export function countRelabelledJobs(jobSet: JobSet, snapshot: Snapshot): number {
  const jobs = snapshot.childJobs(jobSet as Unvalidated<JobSet>) as readonly Job[];
  return jobs.filter(isRelabelled).length;
}

/** The restart attempt of a Job: both counters. */
export interface Attempt {
  /** The restarts of the JobSet. */
  readonly restarts: number;
  /** The restarts of the Job alone. */
  readonly jobRestarts: number;
}

export const getAttempt = memoizeBy(
  (job: Job): Attempt => ({
    restarts: labelNumber(job, RESTART_ATTEMPT_KEY),
    jobRestarts: labelNumber(job, JOB_RESTART_ATTEMPT_KEY),
  }),
);

/** Returns the attempt in a JobSet's status for the position of this Job. */
export function getCurrentAttempt(jobSet: JobSet, job: Job): Attempt {
  const entry = getStatusEntries(jobSet).get(getLabel(job, REPLICATED_JOB_NAME_KEY) ?? "");
  const index = labelNumber(job, JOB_INDEX_KEY);
  return {
    restarts: getRestarts(jobSet),
    jobRestarts: asInteger(asArray(entry?.jobRestarts)[index], 0),
  };
}

/** The entries of a status by name. A law looks one up for each Job. */
export const getStatusEntries = memoizeBy((jobSet: JobSet) => {
  const entries = new Map<string, ReplicatedJobStatus>();
  for (const entry of asArray(jobSet.status?.replicatedJobsStatus)) {
    if (!entries.has(entry.name)) entries.set(entry.name, entry);
  }
  return entries;
});

/** Reports whether one attempt is earlier than another. */
export function isEarlier(one: Attempt, other: Attempt): boolean {
  return one.restarts < other.restarts || one.jobRestarts < other.jobRestarts;
}

export function sameAttempt(one: Attempt, other: Attempt): boolean {
  return one.restarts === other.restarts && one.jobRestarts === other.jobRestarts;
}

export function attemptText({ restarts, jobRestarts }: Attempt): string {
  return jobRestarts === 0
    ? `attempt ${restarts}`
    : `attempt ${restarts}, job attempt ${jobRestarts}`;
}

/** Returns the number of all restarts: those of the JobSet and of individual Jobs. */
export function countRestarts(status: JobSetStatus | null | undefined): number {
  return asArray(status?.replicatedJobsStatus)
    .flatMap(({ jobRestarts }) => asArray(jobRestarts))
    .reduce((sum, count) => sum + count, status?.restarts ?? 0);
}

/**
 * Returns the number of restarts that count towards the limit: those of the JobSet and of individual
 * Jobs.
 */
export function countLimitedRestarts(status: JobSetStatus | undefined): number {
  const single = asArray(status?.replicatedJobsStatus).flatMap(({ jobRestartsCountTowardsMax }) =>
    asArray(jobRestartsCountTowardsMax),
  );
  return single.reduce((sum, count) => sum + count, status?.restartsCountTowardsMax ?? 0);
}

/** Reports whether JobSet's built-in controller manages a JobSet. */
export function isManagedHere({ spec }: JobSet): boolean {
  return (spec.managedBy ?? JOBSET_CONTROLLER_NAME) === JOBSET_CONTROLLER_NAME;
}

/** Reports whether a write starts a Job: creates it unsuspended, or resumes it. */
export function startsJob({ before, after }: JobWrite): boolean {
  return after.spec.suspend !== true && (before === undefined || before.spec.suspend === true);
}

export function isTerminal({ status }: JobSet): boolean {
  return (
    isConditionTrue(status?.conditions, CONDITION_COMPLETED) ||
    isConditionTrue(status?.conditions, CONDITION_FAILED)
  );
}

export function hasFailed(job: Job): boolean {
  return isConditionTrue(job.status?.conditions, JOB_CONDITION_FAILED);
}

export function hasSucceeded(job: Job): boolean {
  return isConditionTrue(job.status?.conditions, JOB_CONDITION_COMPLETE);
}

/** Returns the replicas of each ReplicatedJob. */
export function getReplicasByName(jobSet: JobSet): ReadonlyMap<string, number> {
  return new Map(getReplicatedJobs(jobSet).map(({ name = "", replicas = 1 }) => [name, replicas]));
}

/** Returns the names of the Jobs of a ReplicatedJob. */
export function listJobNames(
  { metadata }: JobSet,
  replicatedJob: Unvalidated<ReplicatedJob>,
): readonly string[] {
  const { name = "" } = replicatedJob;
  return Array.from({ length: getReplicas(replicatedJob) }, (_, index) =>
    jobName(metadata.name ?? "", name, index),
  );
}

/** Returns the ReplicatedJobs that the success policy targets, by name. */
export function getTargetFilter({ spec }: JobSet): (name: string | undefined) => boolean {
  const targets = asArray(spec.successPolicy?.targetReplicatedJobs);
  return (name = "") => targets.length === 0 || targets.includes(name);
}

/** Reports whether a JobSet requests a Job with this name. */
export function isDesiredJob(job: Job, jobSet: JobSet): boolean {
  return getReplicatedJobName(job, jobSet) !== undefined;
}

/** Returns the ReplicatedJob that requests a Job with this name. Ignores labels, because any client may change them. */
export function getReplicatedJobName({ metadata }: Job, jobSet: JobSet): string | undefined {
  const hyphen = metadata.name?.lastIndexOf("-") ?? -1;
  const stem = metadata.name?.slice(0, hyphen);
  const index = Number(metadata.name?.slice(hyphen + 1));
  const claimants = getReplicatedJobsByStem(jobSet).get(stem ?? "");
  return claimants?.find(({ replicas = 1 }) => index < replicas)?.name;
}

/** The ReplicatedJobs of a JobSet by name. If several share a name, the first one. */
export const getReplicatedJobsByName = memoizeBy((jobSet: JobSet) => {
  const byName = new Map<string | undefined, Unvalidated<ReplicatedJob>>();
  for (const one of getReplicatedJobs(jobSet)) if (!byName.has(one.name)) byName.set(one.name, one);
  return byName;
});

const getReplicatedJobsByStem = memoizeBy((jobSet: JobSet) => {
  const getNameStem = ({ name }: Unvalidated<ReplicatedJob>) => `${jobSet.metadata.name}-${name}`;
  return groupBy(getReplicatedJobs(jobSet), getNameStem);
});

function labelNumber(job: Job, key: string): number {
  const parsed = parseIntegerLabel(getLabel(job, key));
  return parsed.ok ? parsed.value : 0;
}

/** Groups items by a key. */
export function groupBy<Item, Key>(
  items: readonly Item[],
  keyOf: (item: Item) => Key,
): ReadonlyMap<Key, readonly Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
