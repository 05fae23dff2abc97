import type { FailurePolicyRule, JobSet, Unvalidated } from "@jobset-ts/api";
import { JOB_CONDITION_FAILED } from "@jobset-ts/api/conditions";
import { REPLICATED_JOB_NAME_KEY } from "@jobset-ts/api/keys";
import { asArray, getLabel, isObject, type Job } from "@jobset-ts/api/kubernetes";
import type { Context } from "@jobset-ts/core";
import { evaluateFailurePolicy } from "@jobset-ts/core/policies";
import { findTrueCondition } from "@jobset-ts/core/status";

/** Failures that no rule can distinguish, in input order. */
export type FailureCase = readonly Unvalidated<Job>[];

/**
 * Groups failures by what the rules of a failure policy read: ReplicatedJob, reason and, if a rule reads it, the
 * message.
 */
export function failureCases(
  jobSet: Unvalidated<JobSet>,
  failures: readonly Unvalidated<Job>[],
): readonly FailureCase[] {
  const looksAtMessages = listRules(jobSet).some(
    (rule) => asArray(rule.onJobFailureMessagePatterns).length > 0,
  );
  const cases = new Map<string, Unvalidated<Job>[]>();
  for (const job of failures) {
    const failed = findTrueCondition(asArray(job.status?.conditions), JOB_CONDITION_FAILED);
    const key = JSON.stringify([
      getLabel(job, REPLICATED_JOB_NAME_KEY) ?? null,
      failed?.reason ?? null,
      (looksAtMessages && failed?.message) ?? null,
    ]);
    const jobs = cases.get(key);
    if (jobs === undefined) cases.set(key, [job]);
    else jobs.push(job);
  }
  return [...cases.values()];
}

/** Returns the index of the first rule that applies to any of the failures, or `undefined`. */
export function findApplicableRule(
  jobSet: Unvalidated<JobSet>,
  failures: readonly Unvalidated<Job>[],
  context: Pick<Context, "features">,
): number | undefined {
  // Two rules may have the same name in an unvalidated object, so indexes replace names.
  const rules = listRules(jobSet).map((rule, index) => ({ ...rule, name: `${index}` }));
  const { decision } = evaluateFailurePolicy(withRules(jobSet, rules), failures, [], context);
  const rule = "rule" in decision ? decision.rule : undefined;
  return rule === undefined ? undefined : Number(rule);
}

/** Returns the rules of a JobSet's failure policy. */
export function listRules(jobSet: Unvalidated<JobSet>): readonly Unvalidated<FailurePolicyRule>[] {
  return asArray(jobSet?.spec?.failurePolicy?.rules).filter(isObject);
}

/** Replaces the rules of a JobSet's failure policy. Does nothing without a policy. */
export function withRules(
  jobSet: Unvalidated<JobSet>,
  rules: readonly Unvalidated<FailurePolicyRule>[],
): Unvalidated<JobSet> {
  const failurePolicy = jobSet?.spec?.failurePolicy;
  if (!isObject(failurePolicy)) return jobSet;
  return { ...jobSet, spec: { ...jobSet.spec, failurePolicy: { ...failurePolicy, rules } } };
}
