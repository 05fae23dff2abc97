import {
  type JobSet,
  type JobSetStatus,
  type Observed,
  type ReplicatedJobStatus,
  restartsOf,
} from "@jobset-ts/api";
import { integerOf, isObject, type Job, listOf, membersOf } from "@jobset-ts/api/kubernetes";
import { incrementInt32 } from "@jobset-ts/api/typed";
import type { Context } from "@jobset-ts/core";
import { childJobsOf, classifyJobs, restartJob } from "@jobset-ts/core/child-jobs";
import type { FailureDecision } from "@jobset-ts/core/policies";
import { replicatedJobsStatus } from "@jobset-ts/core/status";

/** How often a JobSet and its Jobs have restarted. */
export interface RestartCounts {
  /** Of the whole JobSet. */
  readonly restarts: number;
  readonly restartsCountTowardsMax: number;
  /** Of single Jobs, all together; 0 while the gate `RestartJob` is off, and such restarts are forgotten. */
  readonly jobRestarts: number;
  readonly jobRestartsCountTowardsMax: number;
  /** How many more restarts that count there may be; 0 without a failure policy. */
  readonly left: number;
}

/** The counts that a JobSet's status holds. */
export function restartCounts(jobSet: Observed<JobSet>): RestartCounts {
  const restartsCountTowardsMax = integerOf(jobSet?.status?.restartsCountTowardsMax, 0);
  const counted = sumOf(jobSet, "jobRestartsCountTowardsMax");
  const maxRestarts = integerOf(jobSet?.spec?.failurePolicy?.maxRestarts, 0);
  return {
    restarts: restartsOf(jobSet),
    restartsCountTowardsMax,
    jobRestarts: sumOf(jobSet, "jobRestarts"),
    jobRestartsCountTowardsMax: counted,
    left: Math.max(0, maxRestarts - restartsCountTowardsMax - Math.max(0, counted)),
  };
}

/**
 * What a decision makes of a JobSet's counters: the status that the pass would write, as far as it is about restarts.
 *
 * @param job - the failed Job that the decision names
 * @returns `undefined` when the decision cannot be carried out
 */
export function afterDecision(
  jobSet: Observed<JobSet>,
  decision: FailureDecision,
  job: Observed<Job>,
): Observed<JobSet> | undefined {
  switch (decision.action) {
    case "None":
    case "FailJobSet":
      return jobSet;
    case "Refuse":
      return undefined;
    case "RestartJobSet":
    case "RestartJobSetAndIgnoreMaxRestarts": {
      const counted = integerOf(jobSet?.status?.restartsCountTowardsMax, 0);
      return withStatus(jobSet, {
        restarts: incrementInt32(restartsOf(jobSet)),
        ...(decision.countsTowardsMax && { restartsCountTowardsMax: incrementInt32(counted) }),
      });
    }
    case "RestartJob":
    case "RestartJobAndIgnoreMaxRestarts": {
      const statuses = statusesOf(jobSet);
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
 * The JobSet with the counters that a pass begins with: those of ReplicatedJobs that it still has, and of single restarts
 * only while the gate `RestartJob` is on.
 */
export function withCounters(
  jobSet: Observed<JobSet>,
  context: Pick<Context, "features" | "quirks">,
): Observed<JobSet> {
  const none = classifyJobs(jobSet, childJobsOf([]), context);
  if (!none.ok) return jobSet;
  const { statuses } = replicatedJobsStatus(jobSet, none, context);
  return withStatus(jobSet, { replicatedJobsStatus: [...statuses] });
}

/** The counters of ReplicatedJobs that a JobSet's status holds. */
export function statusesOf(jobSet: Observed<JobSet>): readonly ReplicatedJobStatus[] {
  return listOf(jobSet?.status?.replicatedJobsStatus).filter(
    isObject,
  ) as readonly ReplicatedJobStatus[];
}

function withStatus(jobSet: Observed<JobSet>, change: Partial<JobSetStatus>): Observed<JobSet> {
  return { ...jobSet, status: { ...membersOf(jobSet?.status), ...change } };
}

function sumOf(
  jobSet: Observed<JobSet>,
  member: "jobRestarts" | "jobRestartsCountTowardsMax",
): number {
  let sum = 0;
  for (const status of statusesOf(jobSet)) {
    for (const count of listOf(status[member])) sum += integerOf(count, 0);
  }
  return sum;
}
