import type { Features, JobSet, Observed } from "@jobset-ts/api";
import { CONDITION_SUSPENDED } from "@jobset-ts/api/conditions";
import { incrementInt32 } from "@jobset-ts/api/typed";
import type { ClassifiedJobs } from "../child-jobs/classify-jobs.ts";
import { integerOf, isObject, isSuspended, listOf, restartsOf } from "../jobset-members.ts";
import { trueCondition } from "../status/set-condition.ts";

/** The annotation of Jobs and Pods that tells them which execution they belong to. */
export const EXECUTION_ATTEMPT_KEY = "jobset.sigs.k8s.io/execution-attempt";

/** The value of `status.executionAttempts`; `undefined` while the JobSet never ran, or was never tracked. */
export function executionAttemptsOf(jobSet: Observed<JobSet>): number | undefined {
  const stored = jobSet?.status?.executionAttempts;
  return stored === undefined || stored === null ? undefined : integerOf(stored, 0);
}

/** What counting executions asks for in a pass. */
export type ExecutionDecision =
  /** The gate is off, or nothing is to be counted now. */
  | { readonly action: "None" }
  /** Counting begins. */
  | { readonly action: "Initialize"; readonly attempts: number }
  /** The JobSet runs again: the count goes up, or begins, with the write that ends its suspension. */
  | { readonly action: "Resume"; readonly attempts: number };

/**
 * What becomes of `status.executionAttempts` in a pass over an unfinished JobSet, global restarts aside.
 *
 * A resume is recorded in one status write of its own, together with the end of the condition `Suspended`, before
 * any Job runs again: so it counts once, however often a write conflicts.
 *
 * Behind the gate `ExecutionAttemptsTracking`, which no released controller has yet. The proposal leaves open what
 * to do with Jobs of a JobSet that was created suspended; here suspended Jobs do not count as running.
 *
 * @see KEP-1282
 */
export function executionDecision(
  jobSet: Observed<JobSet>,
  { active }: ClassifiedJobs,
  context: { readonly features: Features },
): ExecutionDecision {
  if (!context.features.has("ExecutionAttemptsTracking")) return { action: "None" };
  const stored = executionAttemptsOf(jobSet);
  // What ran before it was counted ran once more with each restart.
  const restarts = Math.max(0, restartsOf(jobSet));
  const suspendedBefore = trueCondition(listOf(jobSet?.status?.conditions), CONDITION_SUSPENDED);
  if (!isSuspended(jobSet) && suspendedBefore !== undefined) {
    return { action: "Resume", attempts: stored === undefined ? restarts : incrementInt32(stored) };
  }
  const running = active.some((job) => !isSuspended(job));
  const hasRun = restarts > 0 || running || !isSuspended(jobSet);
  return stored === undefined && hasRun
    ? { action: "Initialize", attempts: restarts }
    : { action: "None" };
}

/** A JobSet that has a count of executions; the very one that was given when it already has it. */
export function withExecutionAttempts(
  jobSet: Observed<JobSet>,
  attempts: number | undefined,
): Observed<JobSet> {
  if (attempts === undefined || attempts === executionAttemptsOf(jobSet)) return jobSet;
  const status = isObject(jobSet.status) ? jobSet.status : {};
  return { ...jobSet, status: { ...status, executionAttempts: attempts } };
}

/**
 * The annotations that say which execution Jobs created or resumed now belong to, on the Job and its Pod template
 * alike; none while the gate is off. Before the first execution is counted it is number 0.
 */
export function executionAnnotations(
  jobSet: Observed<JobSet>,
  context: { readonly features: Features },
): Record<string, string> {
  return context.features.has("ExecutionAttemptsTracking")
    ? { [EXECUTION_ATTEMPT_KEY]: String(executionAttemptsOf(jobSet) ?? 0) }
    : {};
}
