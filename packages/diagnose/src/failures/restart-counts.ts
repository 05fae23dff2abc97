import {
  getRestarts,
  type JobSet,
  type JobSetStatus,
  type ReplicatedJobStatus,
  type Unvalidated,
} from "@jobset-ts/api";
import { asArray, asInteger, asRecord, isObject, type Job } from "@jobset-ts/api/kubernetes";
import { incrementInt32 } from "@jobset-ts/api/typed";
import type { Context } from "@jobset-ts/core";
import { classifyJobs, readChildJobs, restartJob } from "@jobset-ts/core/child-jobs";
import type { FailureDecision } from "@jobset-ts/core/policies";
import { replicatedJobsStatus } from "@jobset-ts/core/status";

/** The restart counts of a JobSet and its Jobs. */
export interface RestartCounts {
  /** Restarts of the whole JobSet. */
  readonly restarts: number;
  readonly restartsCountTowardsMax: number;
  /** Restarts of individual Jobs in total. 0 while the gate `RestartJob` is off, which also discards earlier ones. */
  readonly jobRestarts: number;
  readonly jobRestartsCountTowardsMax: number;
  /** The remaining number of counted restarts. 0 without a failure policy. */
  readonly left: number;
}

/** Returns the counts in a JobSet's status. */
export function restartCounts(jobSet: Unvalidated<JobSet>): RestartCounts {
  const restartsCountTowardsMax = asInteger(jobSet?.status?.restartsCountTowardsMax, 0);
  const counted = sumNumbers(jobSet, "jobRestartsCountTowardsMax");
  const maxRestarts = asInteger(jobSet?.spec?.failurePolicy?.maxRestarts, 0);
  return {
    restarts: getRestarts(jobSet),
    restartsCountTowardsMax,
    jobRestarts: sumNumbers(jobSet, "jobRestarts"),
    jobRestartsCountTowardsMax: counted,
    left: Math.max(0, maxRestarts - restartsCountTowardsMax - Math.max(0, counted)),
  };
}

/**
 * Returns a JobSet's counters after a decision: the restart-related part of the status that the pass would write.
 *
 * @param job - the failed Job that the decision names
 * @returns `undefined` if the decision's action is not possible
 */
export function afterDecision(
  jobSet: Unvalidated<JobSet>,
  decision: FailureDecision,
  job: Unvalidated<Job>,
): Unvalidated<JobSet> | undefined {
  switch (decision.action) {
    case "None":
    case "FailJobSet":
      return jobSet;
    case "Refuse":
      return undefined;
    case "RestartJobSet":
    case "RestartJobSetAndIgnoreMaxRestarts": {
      const counted = asInteger(jobSet?.status?.restartsCountTowardsMax, 0);
      return withStatus(jobSet, {
        restarts: incrementInt32(getRestarts(jobSet)),
        ...(decision.countsTowardsMax && { restartsCountTowardsMax: incrementInt32(counted) }),
      });
    }
    case "RestartJob":
    case "RestartJobAndIgnoreMaxRestarts": {
      const statuses = createStatuses(jobSet);
      const restarted = restartJob(jobSet, job, statuses, decision.countsTowardsMax);
      if (!restarted.ok) return undefined;
      const { replicatedJob: name, counts } = restarted;
      return withStatus(jobSet, {
        replicatedJobsStatus: statuses.map((entry) =>
          entry.name === name ? { ...entry, ...counts } : entry,
        ),
      });
    }
  }
}

/**
 * Returns the JobSet with the counters at the start of a reconcile: only those of existing ReplicatedJobs, and restarts
 * of individual Jobs only while the gate `RestartJob` is on.
 */
export function withCounters(
  jobSet: Unvalidated<JobSet>,
  context: Pick<Context, "features" | "quirks">,
): Unvalidated<JobSet> {
  const none = classifyJobs(jobSet, readChildJobs([]), context);
  if (!none.ok) return jobSet;
  const { statuses } = replicatedJobsStatus(jobSet, none, context);
  return withStatus(jobSet, { replicatedJobsStatus: [...statuses] });
}

/** Returns the ReplicatedJob counters in a JobSet's status. */
export function createStatuses(jobSet: Unvalidated<JobSet>): readonly ReplicatedJobStatus[] {
  return asArray(jobSet?.status?.replicatedJobsStatus).filter(
    isObject,
  ) as readonly ReplicatedJobStatus[];
}

function withStatus(
  jobSet: Unvalidated<JobSet>,
  change: Partial<JobSetStatus>,
): Unvalidated<JobSet> {
  return { ...jobSet, status: { ...asRecord(jobSet?.status), ...change } };
}

function sumNumbers(
  jobSet: Unvalidated<JobSet>,
  member: "jobRestarts" | "jobRestartsCountTowardsMax",
): number {
  let sum = 0;
  for (const status of createStatuses(jobSet)) {
    for (const count of asArray(status[member])) sum += asInteger(count, 0);
  }
  return sum;
}
