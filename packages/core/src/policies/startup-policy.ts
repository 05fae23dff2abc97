import type { JobSet, ReplicatedJobStatus, Unvalidated } from "@jobset-ts/api";
import { countStartedJobs } from "./dependencies.ts";

/**
 * Reports whether the ReplicatedJobs start one after the other. Any other value of the field means any
 * order.
 */
export function isInOrderStartup(jobSet: Unvalidated<JobSet>): boolean {
  return jobSet?.spec?.startupPolicy?.startupPolicyOrder === "InOrder";
}

/** The decision of in-order startup about one ReplicatedJob. */
export type StartupDecision =
  /** JobSets without startup order, or with an order that does not block this ReplicatedJob now. */
  | { readonly action: "Proceed" }
  /** All its Jobs are ready or finished: nothing is created or resumed, and the next ReplicatedJob follows. */
  | { readonly action: "AlreadyStarted" }
  /** Create or resume its Jobs, but not those of later ReplicatedJobs. */
  | { readonly action: "StartAndStop" };

/**
 * Evaluates in-order startup for one ReplicatedJob. While the JobSet is suspended, startup order blocks nothing: all
 * Jobs are created suspended.
 *
 * @param status - the counters `gateCounters` of the ReplicatedJob, as `replicatedJobsStatus` returns them. Absent if it
 * has none
 */
export function evaluateStartupPolicy(
  jobSet: Unvalidated<JobSet>,
  replicas: number,
  status: ReplicatedJobStatus | undefined,
): StartupDecision {
  if (!isInOrderStartup(jobSet) || jobSet.spec?.suspend === true) return { action: "Proceed" };
  return status !== undefined && countStartedJobs(status) === replicas
    ? { action: "AlreadyStarted" }
    : { action: "StartAndStop" };
}
