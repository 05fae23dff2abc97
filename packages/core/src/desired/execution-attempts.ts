import type { FeatureGates, JobSet, Unvalidated } from "@jobset-ts/api";
import { asInteger, isObject } from "../jobset-members.ts";

/** The annotation of Jobs and Pods that tells them which execution they belong to. */
export const EXECUTION_ATTEMPT_KEY = "jobset.sigs.k8s.io/execution-attempt";

/** The value of `status.executionAttempts`; `undefined` while the JobSet never ran, or was never tracked. */
export function getExecutionAttempts(jobSet: Unvalidated<JobSet>): number | undefined {
  const stored = jobSet?.status?.executionAttempts;
  return stored === undefined || stored === null ? undefined : asInteger(stored, 0);
}

/** A JobSet that has a count of executions; the very one that was given when it already has it. */
export function withExecutionAttempts(
  jobSet: Unvalidated<JobSet>,
  attempts: number | undefined,
): Unvalidated<JobSet> {
  if (attempts === undefined || attempts === getExecutionAttempts(jobSet)) return jobSet;
  const status = isObject(jobSet.status) ? jobSet.status : {};
  return { ...jobSet, status: { ...status, executionAttempts: attempts } };
}

/**
 * The annotations that say which execution Jobs created or resumed now belong to, on the Job and its Pod template
 * alike; none while the gate is off. Before the first execution is counted it is number 0.
 */
export function executionAnnotations(
  jobSet: Unvalidated<JobSet>,
  context: { readonly features: FeatureGates },
): Record<string, string> {
  return context.features.has("ExecutionAttemptsTracking")
    ? { [EXECUTION_ATTEMPT_KEY]: String(getExecutionAttempts(jobSet) ?? 0) }
    : {};
}
