import type { FeatureGates, JobSet, Unvalidated } from "@jobset-ts/api";
import { asInteger, isObject } from "../jobset-members.ts";

/** The annotation of Jobs and Pods with their execution attempt. */
export const EXECUTION_ATTEMPT_KEY = "jobset.sigs.k8s.io/execution-attempt";

/**
 * Returns the value of `status.executionAttempts`; `undefined` if the JobSet has never run, or its executions were
 * never counted.
 */
export function getExecutionAttempts(jobSet: Unvalidated<JobSet>): number | undefined {
  const stored = jobSet?.status?.executionAttempts;
  return stored === undefined || stored === null ? undefined : asInteger(stored, 0);
}

/** Returns the JobSet with a count of execution attempts, or the same object if it has that count already. */
export function withExecutionAttempts(
  jobSet: Unvalidated<JobSet>,
  attempts: number | undefined,
): Unvalidated<JobSet> {
  if (attempts === undefined || attempts === getExecutionAttempts(jobSet)) return jobSet;
  const status = isObject(jobSet.status) ? jobSet.status : {};
  return { ...jobSet, status: { ...status, executionAttempts: attempts } };
}

/**
 * Returns the annotations with the execution attempt of Jobs that are created or resumed now. The Job and its
 * Pod template get the same. Empty while the gate is off. Before the first execution is counted, its number is
 * 0.
 */
export function executionAnnotations(
  jobSet: Unvalidated<JobSet>,
  context: { readonly features: FeatureGates },
): Record<string, string> {
  return context.features.has("ExecutionAttemptsTracking")
    ? { [EXECUTION_ATTEMPT_KEY]: String(getExecutionAttempts(jobSet) ?? 0) }
    : {};
}
