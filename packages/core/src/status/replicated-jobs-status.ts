import type { FeatureGates, JobSet, ReplicatedJobStatus, Unvalidated } from "@jobset-ts/api";
import { compareBytes } from "@jobset-ts/api/text";
import type { ClassifiedJobs } from "../child-jobs/classify-jobs.ts";
import { createGroupClaims } from "../child-jobs/job-claims.ts";
import { asArray, asString, getName, getReplicatedJobs, isObject } from "../jobset-members.ts";
import type { Quirks } from "../quirks.ts";
import type { ChildJobs, JobGroup } from "../snapshot/child-jobs.ts";

/** The number of Jobs in each state for each ReplicatedJob, and the unclaimed Jobs. */
export interface ReplicatedJobCounts {
  /** One entry for each ReplicatedJob, by name in descending byte order. */
  readonly statuses: readonly ReplicatedJobStatus[];
  /** The counters for dependencies and in-order startup: only unsuspended Jobs count as ready. Never written. */
  readonly gateCounters: readonly ReplicatedJobStatus[];
  /** Child Jobs that no ReplicatedJob claims. No counter includes them. */
  readonly unclaimed: readonly string[];
}

/**
 * Returns the counters of a JobSet's status. Jobs of an earlier restart attempt do not count, and no counter is limited
 * by `replicas`. The restart counts of individual Jobs are copied from the stored status (gate `RestartJob`). A Job
 * that is suspended counts as ready as long as its status counters say so.
 */
export function replicatedJobsStatus(
  jobSet: Unvalidated<JobSet>,
  classified: ClassifiedJobs,
  context: { readonly features: FeatureGates; readonly quirks: Quirks },
): ReplicatedJobCounts {
  const stored = context.features.has("RestartJob") ? indexStoredStatuses(jobSet) : undefined;
  const byName = new Map<string, ReplicatedJobStatus>();
  for (const replicatedJob of getReplicatedJobs(jobSet)) {
    const name = asString(replicatedJob.name);
    byName.set(name, Object.assign(noJobs(name), singleRestarts(stored?.get(name))));
  }
  const claimantOf = createGroupClaims(jobSet, context);
  const findEntry = (group: JobGroup) => {
    const claimant = claimantOf(group);
    return claimant ? byName.get(claimant) : undefined;
  };
  const uncounted = new Set<ChildJobs>([classified.unclaimed]);
  const count = (jobs: ChildJobs, add: (entry: ReplicatedJobStatus, group: JobGroup) => void) => {
    for (const group of jobs.groups) {
      const entry = findEntry(group);
      if (entry === undefined) uncounted.add(jobs);
      else add(entry, group);
    }
  };
  const readyOnly = new Map<string, number>();
  count(classified.active, (entry, { traits, jobs }) => {
    if (traits.isReady) entry.ready += jobs.length;
    if (traits.isReady && traits.isSuspended) {
      readyOnly.set(entry.name, (readyOnly.get(entry.name) ?? 0) + jobs.length);
    }
    if (traits.hasActivePods) entry.active += jobs.length;
    if (traits.isSuspended) entry.suspended += jobs.length;
  });
  count(classified.successful, (entry, { jobs }) => {
    entry.succeeded += jobs.length;
  });
  count(classified.failed, (entry, { jobs }) => {
    entry.failed += jobs.length;
  });
  const unclaimed = [...uncounted].flatMap((jobs) =>
    jobs
      .filter((group) => findEntry(group) === undefined)
      .list()
      .map(({ job }) => getName(job)),
  );
  const statuses = sortStatuses([...byName.values()]);
  const gateCounters =
    readyOnly.size === 0 || context.quirks.has("SuspendedReadyOpensGates")
      ? statuses
      : statuses.map((entry) => ({
          ...entry,
          ready: entry.ready - (readyOnly.get(entry.name) ?? 0),
        }));
  return { statuses, gateCounters, unclaimed };
}

/**
 * Reports whether two lists of counters are equal, in any order. An absent list of restarts of individual Jobs equals
 * an empty one.
 */
export function sameReplicatedJobsStatus(
  stored: readonly Unvalidated<ReplicatedJobStatus>[],
  next: readonly ReplicatedJobStatus[],
): boolean {
  const [before, after] = [asArray(stored), asArray(next)];
  if (before.length !== after.length || ![...before, ...after].every(isObject)) return false;
  const [one, other] = [sortStatuses([...before]), sortStatuses([...after])];
  return one.every((status, index) => sameStatus(status, other[index]));
}

const counters = ["ready", "succeeded", "failed", "active", "suspended"] as const;
const restartLists = ["jobRestarts", "jobRestartsCountTowardsMax"] as const;

function sameStatus(
  one: Unvalidated<ReplicatedJobStatus>,
  other: Unvalidated<ReplicatedJobStatus> | undefined,
): boolean {
  return (
    other !== undefined &&
    one.name === other.name &&
    counters.every((counter) => (one[counter] ?? 0) === (other[counter] ?? 0)) &&
    restartLists.every((list) => {
      const [left, right] = [asArray(one[list]), asArray(other[list])];
      return left.length === right.length && left.every((value, index) => value === right[index]);
    })
  );
}

function noJobs(name: string): ReplicatedJobStatus {
  return { name, ready: 0, succeeded: 0, failed: 0, active: 0, suspended: 0 };
}

function singleRestarts(
  stored: Unvalidated<ReplicatedJobStatus> | undefined,
): Pick<ReplicatedJobStatus, "jobRestarts" | "jobRestartsCountTowardsMax"> {
  const jobRestarts = asArray(stored?.jobRestarts);
  const counted = asArray(stored?.jobRestartsCountTowardsMax);
  return {
    ...(jobRestarts.length > 0 && { jobRestarts: [...jobRestarts] }),
    ...(counted.length > 0 && { jobRestartsCountTowardsMax: [...counted] }),
  };
}

function indexStoredStatuses(
  jobSet: Unvalidated<JobSet>,
): ReadonlyMap<string, Unvalidated<ReplicatedJobStatus>> {
  const stored = new Map<string, Unvalidated<ReplicatedJobStatus>>();
  for (const status of asArray(jobSet?.status?.replicatedJobsStatus)) {
    if (isObject(status) && !stored.has(asString(status.name))) {
      stored.set(asString(status.name), status);
    }
  }
  return stored;
}

/** Sorts statuses by name, descending. */
function sortStatuses<Status extends Unvalidated<ReplicatedJobStatus>>(
  statuses: Status[],
): readonly Status[] {
  return statuses.sort((one, other) => compareBytes(asString(other.name), asString(one.name)));
}
