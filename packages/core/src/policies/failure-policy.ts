import {
  type FailurePolicyRule,
  type Features,
  JOB_CONDITION_FAILED,
  type Job,
  type JobCondition,
  type JobSet,
  type Observed,
  parseTime,
  REPLICATED_JOB_NAME_KEY,
  type ReplicatedJobStatus,
} from "@jobset-ts/api";
import { compilePattern } from "../message-pattern/message-pattern.ts";
import { integerOf, isObject, labelOf, listOf, textOf } from "../reading.ts";

/** What the failed Jobs of a JobSet lead to, and the Job and rule that decided it. */
export type FailureDecision =
  | { readonly action: "None" }
  /** There is no failure policy, so the first failed Job fails the JobSet. */
  | { readonly action: "FailJobSet"; readonly reason: "FailedJobs"; readonly job: string }
  | {
      readonly action: "FailJobSet";
      readonly reason: "FailJobSetFailurePolicyAction";
      readonly job: string;
      readonly rule: string;
    }
  /** A restart would be due, but no more of them are allowed. */
  | {
      readonly action: "FailJobSet";
      readonly reason: "ReachedMaxRestarts";
      readonly job: string;
      readonly rule?: string;
    }
  | {
      readonly action: "RestartJobSet" | "RestartJobSetAndIgnoreMaxRestarts";
      readonly countsTowardsMax: boolean;
      readonly job: string;
      /** Absent when no rule matched, and the default applies. */
      readonly rule?: string;
    }
  | {
      readonly action: "RestartJob" | "RestartJobAndIgnoreMaxRestarts";
      readonly countsTowardsMax: boolean;
      readonly job: string;
      readonly rule: string;
    }
  /** The rule asks for what the controller cannot do; nothing can be decided. */
  | {
      readonly action: "Refuse";
      readonly message: string;
      readonly job: string;
      readonly rule: string;
    };

/** A decision and what was noticed on the way to it. */
export interface EvaluatedFailurePolicy {
  readonly decision: FailureDecision;
  /** Patterns that do not compile, and so never match. */
  readonly warnings: readonly string[];
}

/**
 * What the failed Jobs of a JobSet lead to.
 *
 * The first rule that applies to any failed Job is chosen, and acts on the earliest failed of the Jobs that it
 * applies to: rules dominate time. Without a matching rule the JobSet restarts, and the restart counts.
 *
 * @param failed - the failed Jobs of the current restart attempt, by name; of those that failed in the same
 * second the first in this order counts as the earlier
 * @param statuses - the counters of this pass, with the restarts of single Jobs
 * @see JobSet v1alpha2 `FailurePolicy`; KEP-262
 */
export function evaluateFailurePolicy(
  jobSet: Observed<JobSet>,
  failed: readonly Observed<Job>[],
  statuses: readonly ReplicatedJobStatus[],
  context: { readonly features: Features },
): EvaluatedFailurePolicy {
  const first = firstFailedJob(failed);
  if (first === undefined) return { decision: { action: "None" }, warnings: [] };
  const policy = jobSet.spec?.failurePolicy;
  if (!isObject(policy)) {
    const decision = { action: "FailJobSet", reason: "FailedJobs", job: nameOf(first) } as const;
    return { decision, warnings: [] };
  }
  const warnings: string[] = [];
  for (const rule of listOf(policy.rules).filter(isObject)) {
    const applies = ruleMatcher(rule, warnings);
    const acting = firstFailedJob(failed.filter(applies));
    if (acting === undefined) continue;
    const chosen = { rule, job: nameOf(acting) };
    return { decision: decisionOf(jobSet, statuses, chosen, context), warnings };
  }
  return { decision: decisionOf(jobSet, statuses, { job: nameOf(first) }, context), warnings };
}

/**
 * The Job that failed first. Times have a precision of one second, so Jobs of one JobSet often fail at equal
 * times: the first in the list wins then.
 */
export function firstFailedJob(jobs: readonly Observed<Job>[]): Observed<Job> | undefined {
  let first: Observed<Job> | undefined;
  let firstTime = Number.POSITIVE_INFINITY;
  for (const job of jobs) {
    // No time is earlier than every time.
    const time = parseTime(failureOf(job)?.lastTransitionTime) ?? Number.NEGATIVE_INFINITY;
    if (first === undefined || time < firstTime) {
      first = job;
      firstTime = time;
    }
  }
  return first;
}

/** The condition that says that a Job failed, and why. */
function failureOf(job: Observed<Job>): Observed<JobCondition> | undefined {
  return listOf(job.status?.conditions).find(
    (condition) =>
      isObject(condition) && condition.type === JOB_CONDITION_FAILED && condition.status === "True",
  );
}

function nameOf(job: Observed<Job>): string {
  return textOf(job.metadata?.name);
}

/** Whether a rule applies to a failed Job: reason, message and ReplicatedJob must all fit. */
function ruleMatcher(
  rule: Observed<FailurePolicyRule>,
  warnings: string[],
): (job: Observed<Job>) => boolean {
  const reasons = new Set(listOf(rule.onJobFailureReasons));
  const targets = new Set(listOf(rule.targetReplicatedJobs));
  const patterns = listOf(rule.onJobFailureMessagePatterns);
  let matches: ((message: string) => boolean) | undefined;
  return (job) => {
    const failure = failureOf(job);
    if (reasons.size > 0 && !reasons.has(textOf(failure?.reason))) return false;
    if (patterns.length > 0) {
      // Compiled once, and only for a Job that gets this far.
      matches ??= anyPattern(textOf(rule.name), patterns, warnings);
      if (!matches(textOf(failure?.message))) return false;
    }
    // A Job that does not say whose it is fits no rule, not even one without targets.
    const replicatedJob = labelOf(job, REPLICATED_JOB_NAME_KEY) ?? "";
    return replicatedJob !== "" && (targets.size === 0 || targets.has(replicatedJob));
  };
}

function anyPattern(
  rule: string,
  patterns: readonly string[],
  warnings: string[],
): (message: string) => boolean {
  const compiled = patterns.map((text) => compilePattern(textOf(text)));
  for (const pattern of compiled) {
    if (!pattern.ok) warnings.push(`failure policy rule ${rule}: ${pattern.message}`);
  }
  return (message) => compiled.some((pattern) => pattern.ok && pattern.matches(message));
}

function decisionOf(
  jobSet: Observed<JobSet>,
  statuses: readonly ReplicatedJobStatus[],
  chosen: { readonly rule?: Observed<FailurePolicyRule>; readonly job: string },
  { features }: { readonly features: Features },
): FailureDecision {
  const { job } = chosen;
  const rule = chosen.rule === undefined ? undefined : textOf(chosen.rule.name);
  const action = chosen.rule === undefined ? "RestartJobSet" : textOf(chosen.rule.action);
  const single = features.has("RestartJob");
  const named = { job, ...(rule !== undefined && { rule }) };
  const limitReached = { action: "FailJobSet", reason: "ReachedMaxRestarts", ...named } as const;
  const { global, total } = countedRestarts(jobSet, statuses);
  const maxRestarts = integerOf(jobSet.spec?.failurePolicy?.maxRestarts, 0);
  switch (action) {
    case "FailJobSet":
      return { action, reason: "FailJobSetFailurePolicyAction", job, rule: rule ?? "" };
    case "RestartJobSet":
      return global >= maxRestarts || (single && total >= maxRestarts)
        ? limitReached
        : { action, countsTowardsMax: true, ...named };
    case "RestartJobSetAndIgnoreMaxRestarts":
      return { action, countsTowardsMax: false, ...named };
    case "RestartJob":
    case "RestartJobAndIgnoreMaxRestarts":
      if (!single) {
        const message = `${action} failure policy action cannot be used when the feature gate RestartJob is disabled`;
        return { action: "Refuse", message, job, rule: rule ?? "" };
      }
      if (action === "RestartJob" && total >= maxRestarts) return limitReached;
      return { action, countsTowardsMax: action === "RestartJob", job, rule: rule ?? "" };
    default: {
      const message = `failed to find a corresponding action for the FailurePolicyRuleAction ${action}`;
      return { action: "Refuse", message, job, rule: rule ?? "" };
    }
  }
}

/** The restarts so far that count towards `maxRestarts`: of the whole JobSet, and those of single Jobs on top. */
function countedRestarts(
  jobSet: Observed<JobSet>,
  statuses: readonly ReplicatedJobStatus[],
): { readonly global: number; readonly total: number } {
  const global = integerOf(jobSet.status?.restartsCountTowardsMax, 0);
  let total = global;
  for (const status of statuses) {
    for (const count of listOf(status.jobRestartsCountTowardsMax)) total += integerOf(count, 0);
  }
  return { global, total };
}
