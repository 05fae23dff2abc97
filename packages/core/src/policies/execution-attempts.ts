import type { FeatureGates, JobSet, Unvalidated } from "@jobset-ts/api";
import { CONDITION_SUSPENDED } from "@jobset-ts/api/conditions";
import { incrementInt32 } from "@jobset-ts/api/typed";
import type { ClassifiedJobs } from "../child-jobs/classify-jobs.ts";
import { getExecutionAttempts } from "../desired/execution-attempts.ts";
import { asArray, getRestarts, isSuspended } from "../jobset-members.ts";
import { findTrueCondition } from "../status/set-condition.ts";

/** The decision of a pass about the count of execution attempts. */
export type ExecutionDecision =
  /** The gate is off, or the count does not change. */
  | { readonly action: "None" }
  /** The count starts. */
  | { readonly action: "Initialize"; readonly attempts: number }
  /** The JobSet resumes: the count increases or starts with the write that ends the suspension. */
  | { readonly action: "Resume"; readonly attempts: number };

/**
 * Returns the next `status.executionAttempts` of an unfinished JobSet, apart from global restarts.
 *
 * A resume is recorded in its own status write, together with the False condition `Suspended`, before any Job runs
 * again. So it counts once, however often a write conflicts.
 *
 * Requires the gate `ExecutionAttemptsTracking`, which is in no released controller. The proposal does not define Jobs
 * of a JobSet that was created suspended; here suspended Jobs do not count as running.
 *
 * @see KEP-1282
 */
export function evaluateExecutionAttempts(
  jobSet: Unvalidated<JobSet>,
  { active }: ClassifiedJobs,
  context: { readonly features: FeatureGates },
): ExecutionDecision {
  if (!context.features.has("ExecutionAttemptsTracking")) return { action: "None" };
  const stored = getExecutionAttempts(jobSet);
  // Each earlier restart was one uncounted execution attempt.
  const restarts = Math.max(0, getRestarts(jobSet));
  const suspendedBefore = findTrueCondition(
    asArray(jobSet?.status?.conditions),
    CONDITION_SUSPENDED,
  );
  if (!isSuspended(jobSet) && suspendedBefore !== undefined) {
    return { action: "Resume", attempts: stored === undefined ? restarts : incrementInt32(stored) };
  }
  const running = active.groups.some(({ traits }) => !traits.isSuspended);
  const hasRun = restarts > 0 || running || !isSuspended(jobSet);
  return stored === undefined && hasRun
    ? { action: "Initialize", attempts: restarts }
    : { action: "None" };
}
