import type { Features, JobSet, Observed } from "@jobset-ts/api";
import { integerOf, isObject } from "../jobset-members.ts";

/** The annotation of Jobs and Pods that tells them which execution they belong to. */
export const EXECUTION_ATTEMPT_KEY = "jobset.sigs.k8s.io/execution-attempt";

/** The value of `status.executionAttempts`; `undefined` while the JobSet never ran, or was never tracked. */
export function executionAttemptsOf(jobSet: Observed<JobSet>): number | undefined {
  const stored = jobSet?.status?.executionAttempts;
  return stored === undefined || stored === null ? undefined : integerOf(stored, 0);
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
