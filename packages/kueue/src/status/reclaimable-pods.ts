import { getReplicas, getReplicatedJobs, type JobSet, type Unvalidated } from "@jobset-ts/api";
import { type FieldError, invalid, notSupported, required } from "@jobset-ts/api/errors";
import { asInteger, asString } from "@jobset-ts/api/kubernetes";
import { compareBytes } from "@jobset-ts/api/text";
import { listObjects } from "../objects/members.ts";
import {
  hasQuotaReserved,
  type PodSet,
  type ReclaimablePod,
  type Workload,
} from "../objects/workload.ts";
import { podsPerReplica } from "../pod-sets/pod-counts.ts";

type Reclaimables = readonly Unvalidated<ReclaimablePod>[];

/**
 * Returns the Pods of a JobSet that no longer need quota: those of succeeded Jobs, in the order of the ReplicatedJobs.
 * Finished Pods of an active Job and failed Jobs release nothing.
 *
 * Omits a ReplicatedJob with more succeeded Jobs than replicas.
 *
 * @returns `undefined` before the first status
 * @example
 * const spec = { replicatedJobs: [{ name: "W", replicas: 2, template: { spec: { parallelism: 3 } } }] };
 * reclaimablePods({ spec, status: { replicatedJobsStatus: [{ name: "W", succeeded: 1 }] } }) // => [{ name: "w", count: 3 }]
 */
export function reclaimablePods(
  jobSet: Unvalidated<JobSet>,
): readonly ReclaimablePod[] | undefined {
  const statuses = listObjects(jobSet?.status?.replicatedJobsStatus);
  if (statuses.length === 0) return undefined;
  const succeededByName = new Map(
    statuses.map(({ name, succeeded }) => [asString(name), asInteger(succeeded, 0)]),
  );
  return getReplicatedJobs(jobSet).flatMap((replicatedJob) => {
    const name = asString(replicatedJob.name);
    const succeeded = succeededByName.get(name) ?? 0;
    if (succeeded <= 0 || succeeded > getReplicas(replicatedJob)) return [];
    const count = Math.imul(succeeded, podsPerReplica(replicatedJob));
    return [{ name: name.toLowerCase(), count }];
  });
}

/**
 * Limits reclaimable Pods to the size of their Pod set. Entries without a Pod set do not change.
 *
 * @example capReclaimablePods([{ name: "w", count: 3 }], [{ name: "w", count: 2 }]) // => [{ name: "w", count: 2 }]
 */
export function capReclaimablePods(
  reclaimable: Reclaimables,
  podSets: readonly Unvalidated<PodSet>[],
): readonly ReclaimablePod[] {
  const counts = countItems(listObjects(podSets));
  return listObjects(reclaimable).map(({ name, count }) => {
    const most = counts.get(asString(name)) ?? Number.POSITIVE_INFINITY;
    return { name: asString(name), count: Math.min(asInteger(count, 0), most) };
  });
}

/**
 * Reports whether two lists are equal, in any order.
 *
 * @example sameReclaimablePods([{ name: "a", count: 1 }, { name: "b", count: 2 }], [{ name: "b", count: 2 }, { name: "a", count: 1 }]) // => true
 */
export function sameReclaimablePods(
  left: Reclaimables | undefined,
  right: Reclaimables | undefined,
): boolean {
  const [ours, theirs] = [listObjects(left), listObjects(right)];
  const [ourCounts, theirCounts] = [countItems(ours), countItems(theirs)];
  return (
    ours.length === theirs.length &&
    ourCounts.size === theirCounts.size &&
    [...ourCounts].every(([name, count]) => theirCounts.get(name) === count)
  );
}

/** Indexes the counts by name. The last of equal names wins. */
function countItems(list: readonly Unvalidated<{ name: string; count: number }>[]) {
  return new Map(list.map(({ name, count }) => [asString(name), asInteger(count, 0)]));
}

/**
 * Returns Kueue's errors for an update of reclaimable Pods. A count may not exceed its Pod set, its Pod set must exist,
 * and it may not decrease or disappear while quota is reserved.
 *
 * @returns no error if the update is admitted
 * @example
 * const spec = { podSets: [{ name: "w", count: 2, template: {} }] };
 * const after = { spec, status: { reclaimablePods: [{ name: "w", count: 5 }] } };
 * reclaimableUpdateErrors({ spec }, after)[0]?.body // => "Invalid value: 5: should be less or equal to 2"
 */
export function reclaimableUpdateErrors(
  before: Unvalidated<Workload>,
  after: Unvalidated<Workload>,
): readonly FieldError[] {
  const errors = boundErrors(after);
  return hasQuotaReserved(before) && hasQuotaReserved(after)
    ? [...errors, ...decreaseErrors(before, after)]
    : errors;
}

const field = (name: string) => `status.reclaimablePods[${name}]`;

function boundErrors(workload: Unvalidated<Workload>): readonly FieldError[] {
  const sets = listObjects(workload?.spec?.podSets);
  const counts = countItems(sets);
  const names = [...counts.keys()].sort(compareBytes);
  return listObjects(workload?.status?.reclaimablePods).flatMap((entry) => {
    const [name, count] = [asString(entry.name), asInteger(entry.count, 0)];
    const most = counts.get(name);
    if (most === undefined) return [notSupported(`${field(name)}.name`, name, names)];
    if (count <= most) return [];
    return [invalid(`${field(name)}.count`, count, `should be less or equal to ${most}`)];
  });
}

function decreaseErrors(
  before: Unvalidated<Workload>,
  after: Unvalidated<Workload>,
): readonly FieldError[] {
  const old = countItems(listObjects(before?.status?.reclaimablePods));
  const list = listObjects(after?.status?.reclaimablePods);
  const decreased = list.flatMap((entry) => {
    const [name, count] = [asString(entry.name), asInteger(entry.count, 0)];
    const least = old.get(name);
    if (least === undefined || count >= least) return [];
    return [invalid(`${field(name)}.count`, count, `cannot be less than ${least}`)];
  });
  const left = countItems(list);
  const removed = [...old.keys()].filter((name) => !left.has(name)).sort(compareBytes);
  return [...decreased, ...removed.map((name) => required(field(name), "cannot be removed"))];
}
