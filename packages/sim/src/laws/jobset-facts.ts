import {
  getReplicas,
  getReplicatedJobs,
  type JobSet,
  jobName,
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
import { JOBSET_CONTROLLER_NAME } from "@jobset-ts/api/keys";
import { asArray, type Job } from "@jobset-ts/api/kubernetes";
import { isConditionTrue } from "../api-server/conditions.ts";
import type { Objects, Stored } from "../api-server/objects.ts";
import type { Change } from "../kernel/component.ts";
import { memoizeBy } from "./memoize-by.ts";

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

/** The entries of a status by name. A law looks one up for each Job. */
export const getStatusEntries = memoizeBy((jobSet: JobSet) => {
  const entries = new Map<string, ReplicatedJobStatus>();
  for (const entry of asArray(jobSet.status?.replicatedJobsStatus)) {
    if (!entries.has(entry.name)) entries.set(entry.name, entry);
  }
  return entries;
});

/** Reports whether JobSet's built-in controller manages a JobSet. */
export function isManagedHere({ spec }: JobSet): boolean {
  return (spec.managedBy ?? JOBSET_CONTROLLER_NAME) === JOBSET_CONTROLLER_NAME;
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
