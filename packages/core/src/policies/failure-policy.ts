import type {
  FailurePolicyRule,
  FeatureGates,
  JobSet,
  ReplicatedJobStatus,
  Unvalidated,
} from "@jobset-ts/api";
import type { Job } from "@jobset-ts/api/kubernetes";
import { asArray, asInteger, asString, getName, isObject } from "../jobset-members.ts";
import type { Quirks } from "../quirks.ts";
import { failuresInOrder, RuleMatcher } from "./rule-matcher.ts";

/** The action for the failed Jobs of a JobSet, and the Job and rule that decided it. */
export type FailureDecision =
  | { readonly action: "None" }
  /** Without a failure policy, the first failed Job fails the JobSet. */
  | { readonly action: "FailJobSet"; readonly reason: "FailedJobs"; readonly job: string }
  | {
      readonly action: "FailJobSet";
      readonly reason: "FailJobSetFailurePolicyAction";
      readonly job: string;
      readonly rule: string;
    }
  /** A restart would follow, but the limit is reached. */
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
      /** Absent if no rule matched, so that the default applies. */
      readonly rule?: string;
    }
  | {
      readonly action: "RestartJob" | "RestartJobAndIgnoreMaxRestarts";
      readonly countsTowardsMax: boolean;
      readonly job: string;
      readonly rule: string;
    }
  /** The controller cannot perform the rule's action, so no decision is possible. */
  | {
      readonly action: "Refuse";
      readonly message: string;
      readonly job: string;
      readonly rule: string;
    };

/** A decision with observations. */
export interface FailurePolicyResult {
  readonly decision: FailureDecision;
  /**
   * Patterns that do not compile and so never match, and rules that do not apply because their patterns exceed the
   * budget.
   */
  readonly warnings: readonly string[];
}

/**
 * Decides the action for the failed Jobs of a JobSet. The first rule that applies to any failed Job is chosen. It acts on
 * the Job that failed first among those that it applies to, so the order of rules comes before the order of time. Without a
 * matching rule, the JobSet restarts, and the restart counts.
 *
 * Work on message patterns has two bounds, both independent of time and machine. Patterns are read rule by rule within the
 * bound that {@link findInvalidMessagePatterns} describes. The first rule that exceeds it applies to no Job, and neither
 * does any later rule with patterns. Each rule searches each message once, in the order in which Jobs failed. All rules
 * together have 30,000,000 units of work: one for each character, and more for each additional alternative of the patterns.
 * The rule that exhausts them applies to no Job, and neither does any later rule with patterns.
 *
 * @param failed - the failed Jobs of the current restart attempt that a ReplicatedJob claims, by name; of those that failed in the same
 * second the first in this order counts as the earlier
 * @param statuses - the counters of this pass, with the restarts of single Jobs
 * @see JobSet v1alpha2 `FailurePolicy`; KEP-262
 */
export function evaluateFailurePolicy(
  jobSet: Unvalidated<JobSet>,
  failed: readonly Unvalidated<Job>[],
  statuses: readonly ReplicatedJobStatus[],
  context: { readonly features: FeatureGates; readonly quirks?: Quirks },
): FailurePolicyResult {
  const failures = failuresInOrder(failed);
  const [first] = failures;
  if (first === undefined) return { decision: { action: "None" }, warnings: [] };
  const job = getName(first.job);
  const policy = jobSet?.spec?.failurePolicy;
  if (!isObject(policy)) {
    return { decision: { action: "FailJobSet", reason: "FailedJobs", job }, warnings: [] };
  }
  const matcher = new RuleMatcher(failures);
  const { warnings } = matcher;
  for (const rule of asArray(policy.rules).filter(isObject)) {
    const failure = matcher.next(rule);
    if (failure === undefined) continue;
    const chosen = { rule, job: getName(failure.job) };
    return { decision: getDecision(jobSet, statuses, chosen, context), warnings };
  }
  return { decision: getDecision(jobSet, statuses, { job }, context), warnings };
}

function getDecision(
  jobSet: Unvalidated<JobSet>,
  statuses: readonly ReplicatedJobStatus[],
  chosen: { readonly rule?: Unvalidated<FailurePolicyRule>; readonly job: string },
  { features, quirks }: { readonly features: FeatureGates; readonly quirks?: Quirks },
): FailureDecision {
  const { job } = chosen;
  const rule = chosen.rule === undefined ? undefined : asString(chosen.rule.name);
  const action = chosen.rule === undefined ? "RestartJobSet" : asString(chosen.rule.action);
  const single = features.has("RestartJob");
  const named = { job, ...(rule !== undefined && { rule }) };
  const limitReached = { action: "FailJobSet", reason: "ReachedMaxRestarts", ...named } as const;
  const { global, total } = countRestarts(jobSet, statuses);
  const maxRestarts = asInteger(jobSet?.spec?.failurePolicy?.maxRestarts, 0);
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
      if (quirks?.has("RestartJobUnknown")) return unknownAction(action, { job, rule });
      if (!single) {
        const message = `${action} failure policy action cannot be used when the feature gate RestartJob is disabled`;
        return { action: "Refuse", message, job, rule: rule ?? "" };
      }
      if (action === "RestartJob" && total >= maxRestarts) return limitReached;
      return { action, countsTowardsMax: action === "RestartJob", job, rule: rule ?? "" };
    default:
      return unknownAction(action, { job, rule });
  }
}

function unknownAction(
  action: string,
  { job, rule = "" }: { readonly job: string; readonly rule?: string },
): FailureDecision {
  const message = `failed to find a corresponding action for the FailurePolicyRuleAction ${action}`;
  return { action: "Refuse", message, job, rule };
}

/**
 * Returns the restarts so far that count towards `maxRestarts`: those of the whole JobSet, and those of individual
 * Jobs.
 */
function countRestarts(
  jobSet: Unvalidated<JobSet>,
  statuses: readonly ReplicatedJobStatus[],
): { readonly global: number; readonly total: number } {
  const global = asInteger(jobSet?.status?.restartsCountTowardsMax, 0);
  let total = global;
  for (const status of asArray(statuses)) {
    for (const count of asArray(status?.jobRestartsCountTowardsMax)) total += asInteger(count, 0);
  }
  return { global, total };
}
