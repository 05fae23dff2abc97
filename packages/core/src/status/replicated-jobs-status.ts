import type { Features, JobSet, Observed, ReplicatedJobStatus } from "@jobset-ts/api";
import { REPLICATED_JOB_NAME_KEY } from "@jobset-ts/api/keys";
import type { Job } from "@jobset-ts/api/kubernetes";
import { compareBytes } from "@jobset-ts/api/text";
import type { ClassifiedJobs } from "../child-jobs/classify-jobs.ts";
import {
  integerOf,
  isObject,
  isSuspended,
  labelOf,
  listOf,
  replicatedJobsOf,
  textOf,
} from "../jobset-members.ts";

/** How many Jobs of each ReplicatedJob are in which state, and the Jobs that no ReplicatedJob claims. */
export interface CountedJobs {
  /** One entry a ReplicatedJob, by name in descending byte order. */
  readonly statuses: readonly ReplicatedJobStatus[];
  /** Child Jobs whose label names no ReplicatedJob; they count nowhere. */
  readonly unclaimed: readonly string[];
}

/**
 * The counters of a JobSet's status. Jobs of an earlier restart attempt count nowhere, and no counter is capped
 * by `replicas`. The counts of single restarts are carried over from the stored status (gate `RestartJob`).
 */
export function replicatedJobsStatus(
  jobSet: Observed<JobSet>,
  classified: ClassifiedJobs,
  context: { readonly features: Features },
): CountedJobs {
  const stored = context.features.has("RestartJob") ? storedByName(jobSet) : undefined;
  const byName = new Map<string, ReplicatedJobStatus>();
  for (const replicatedJob of replicatedJobsOf(jobSet)) {
    const name = textOf(replicatedJob.name);
    byName.set(name, { ...noJobs(name), ...singleRestarts(stored?.get(name)) });
  }
  const unclaimed: string[] = [];
  const count = (job: Observed<Job>, add: (status: ReplicatedJobStatus) => void) => {
    const name = labelOf(job, REPLICATED_JOB_NAME_KEY);
    const status = name === undefined || name === "" ? undefined : byName.get(name);
    if (status === undefined) unclaimed.push(textOf(job?.metadata?.name));
    else add(status);
  };
  for (const job of classified.active) {
    count(job, (status) => {
      if (isReady(job)) status.ready += 1;
      if (integerOf(job?.status?.active, 0) > 0) status.active += 1;
      if (isSuspended(job)) status.suspended += 1;
    });
  }
  for (const job of classified.successful) {
    count(job, (status) => {
      status.succeeded += 1;
    });
  }
  for (const job of classified.failed) {
    count(job, (status) => {
      status.failed += 1;
    });
  }
  return { statuses: inOrder([...byName.values()]), unclaimed };
}

/**
 * Whether an active Job counts as ready: as many Pods are ready or have succeeded as run at a time, or as have
 * to succeed when that is fewer. A Job that needs no Pods is always ready, even while suspended.
 */
export function isReady(job: Observed<Job>): boolean {
  const parallelism = integerOf(job?.spec?.parallelism, 1);
  const expected = Math.min(parallelism, integerOf(job?.spec?.completions, parallelism));
  return integerOf(job?.status?.succeeded, 0) + integerOf(job?.status?.ready, 0) >= expected;
}

/**
 * Whether two lists of counters say the same, in whatever order they stand. An absent list of single restarts is
 * the same as an empty one.
 */
export function sameReplicatedJobsStatus(
  stored: readonly Observed<ReplicatedJobStatus>[],
  next: readonly ReplicatedJobStatus[],
): boolean {
  const [before, after] = [listOf(stored), listOf(next)];
  if (before.length !== after.length || ![...before, ...after].every(isObject)) return false;
  const [one, other] = [inOrder([...before]), inOrder([...after])];
  return one.every((status, index) => sameStatus(status, other[index]));
}

const counters = ["ready", "succeeded", "failed", "active", "suspended"] as const;
const restartLists = ["jobRestarts", "jobRestartsCountTowardsMax"] as const;

function sameStatus(
  one: Observed<ReplicatedJobStatus>,
  other: Observed<ReplicatedJobStatus> | undefined,
): boolean {
  return (
    other !== undefined &&
    one.name === other.name &&
    counters.every((counter) => (one[counter] ?? 0) === (other[counter] ?? 0)) &&
    restartLists.every((list) => {
      const [left, right] = [listOf(one[list]), listOf(other[list])];
      return left.length === right.length && left.every((value, index) => value === right[index]);
    })
  );
}

function noJobs(name: string): ReplicatedJobStatus {
  return { name, ready: 0, succeeded: 0, failed: 0, active: 0, suspended: 0 };
}

function singleRestarts(
  stored: Observed<ReplicatedJobStatus> | undefined,
): Pick<ReplicatedJobStatus, "jobRestarts" | "jobRestartsCountTowardsMax"> {
  const jobRestarts = listOf(stored?.jobRestarts);
  const counted = listOf(stored?.jobRestartsCountTowardsMax);
  return {
    ...(jobRestarts.length > 0 && { jobRestarts: [...jobRestarts] }),
    ...(counted.length > 0 && { jobRestartsCountTowardsMax: [...counted] }),
  };
}

function storedByName(
  jobSet: Observed<JobSet>,
): ReadonlyMap<string, Observed<ReplicatedJobStatus>> {
  const stored = new Map<string, Observed<ReplicatedJobStatus>>();
  for (const status of listOf(jobSet?.status?.replicatedJobsStatus)) {
    if (isObject(status) && !stored.has(textOf(status.name))) {
      stored.set(textOf(status.name), status);
    }
  }
  return stored;
}

/** By name, descending. */
function inOrder<Status extends Observed<ReplicatedJobStatus>>(
  statuses: Status[],
): readonly Status[] {
  return statuses.sort((one, other) => compareBytes(textOf(other.name), textOf(one.name)));
}
