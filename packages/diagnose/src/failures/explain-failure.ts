import type { FailurePolicyRule, JobSet, Unvalidated } from "@jobset-ts/api";
import { asArray, asString, getName, isObject, type Job } from "@jobset-ts/api/kubernetes";
import type { Context } from "@jobset-ts/core";
import { evaluateFailurePolicy, type FailureDecision } from "@jobset-ts/core/policies";
import {
  type FailureCase,
  failureCases,
  findApplicableRule,
  listRules,
  withRules,
} from "./failure-cases.ts";
import { type AlternativeOrders, type FailureResult, failureOrders } from "./failure-orders.ts";
import {
  afterDecision,
  createStatuses,
  type RestartCounts,
  restartCounts,
  withCounters,
} from "./restart-counts.ts";

/** The result of failed Jobs and its explanation. */
export interface FailureExplanation {
  /** The decision of the reconcile that processes these failures. */
  readonly decision: FailureDecision;
  /** Every rule of the failure policy, in order. */
  readonly rules: readonly ExplainedRule[];
  /** Patterns that never match, and rules whose patterns exceed the work limit. */
  readonly warnings: readonly string[];
  readonly before: RestartCounts;
  /** The counters after the decision. Unchanged if its action is not possible. */
  readonly after: RestartCounts;
  /** The result after all failures are processed. Absent if there are too many. */
  readonly result?: FailureResult;
  /** Whether processing the failures one after the other could change the result. */
  readonly orders: AlternativeOrders;
}

/** The result of a rule for the failures. */
export type ExplainedRule =
  /** The rule decides, because it is the first one that applies to any failure. */
  | { readonly name: string; readonly outcome: "Applies"; readonly job: string }
  | {
      readonly name: string;
      readonly outcome: "DoesNotApply";
      readonly misses: readonly RuleMismatch[];
      /** The number of further failures that are not listed. */
      readonly omittedCount: number;
    }
  /** It comes after the rule that applies, so it is not evaluated. */
  | { readonly name: string; readonly outcome: "NotReached" };

/** The reason why a rule does not apply to a failure. */
export interface RuleMismatch {
  /** The first of the Jobs in one ReplicatedJob that failed with the same reason and message. */
  readonly job: string;
  /** The number of these Jobs. */
  readonly jobCount: number;
  /**
   * - `label`: the Job has no ReplicatedJob label
   * - `target`: the ReplicatedJob is not in `targetReplicatedJobs`
   * - `reason`: the reason is not in `onJobFailureReasons`
   * - `message`: the other conditions match, but no `onJobFailureMessagePatterns` matches
   * - `work`: all conditions match, but the patterns of the rules so far exceed the work limit of a reconcile
   */
  readonly misses: readonly ("label" | "target" | "reason" | "message" | "work")[];
}

/** The maximum number of failure kinds listed for each rule. */
const MAX_CASES = 10;

/**
 * Explains the decision of a JobSet's failure policy about failed Jobs: which rule decides, why earlier rules do not
 * apply, the new counters, and whether another order of failures would change the result.
 *
 * It evaluates the failure policy itself, also with one rule or one condition at a time. The search for another result
 * tries at most a few thousand decisions, and reports if that was not enough.
 *
 * @param failures - Jobs of the current restart attempt with the condition `Failed`, which has the failure time
 * @param context - individual Jobs can restart only with the gate `RestartJob`
 * @example
 * import { createContext } from "@jobset-ts/core";
 * const conditions = [{ type: "Failed", status: "True", reason: "BackoffLimitExceeded", lastTransitionTime: "2026-02-07T06:56:19Z" }];
 * const labels = { "jobset.sigs.k8s.io/replicatedjob-name": "w" };
 * const failed = { metadata: { name: "train-w-0", labels }, status: { conditions } };
 * const rules = [{ name: "hosts", action: "FailJobSet", onJobFailureReasons: ["PodFailurePolicy"] }];
 * const { decision, rules: [hosts], after } = explainFailure({ spec: { failurePolicy: { maxRestarts: 3, rules } } }, [failed], createContext({ now: 0 }));
 * decision.action // => "RestartJobSet"
 * hosts // => { name: "hosts", outcome: "DoesNotApply", misses: [{ job: "train-w-0", jobCount: 1, misses: ["reason"] }], omittedCount: 0 }
 * after.left // => 2
 */
export function explainFailure(
  observed: Unvalidated<JobSet>,
  failures: readonly Unvalidated<Job>[],
  context: Pick<Context, "features" | "quirks">,
): FailureExplanation {
  const jobSet = withCounters(isObject(observed) ? observed : {}, context);
  const failed = asArray(failures).filter(isObject);
  const { decision, warnings } = evaluateFailurePolicy(
    jobSet,
    failed,
    createStatuses(jobSet),
    context,
  );
  const cases = failureCases(jobSet, failed);
  const before = restartCounts(jobSet);
  const job = decision.action === "None" ? "" : decision.job;
  const named = failed.find((one) => getName(one) === job) ?? {};
  const after = afterDecision(jobSet, decision, named) ?? jobSet;
  return {
    decision,
    rules: explainedRules(jobSet, cases, {
      applying: findApplicableRule(jobSet, failed, context),
      job,
      context,
    }),
    warnings,
    before,
    after: restartCounts(after),
    ...failureOrders(jobSet, cases, context),
  };
}

function explainedRules(
  jobSet: Unvalidated<JobSet>,
  cases: readonly FailureCase[],
  decided: {
    readonly applying: number | undefined;
    readonly job: string;
    readonly context: Pick<Context, "features">;
  },
): readonly ExplainedRule[] {
  const { applying, job, context } = decided;
  const listed = cases.slice(0, MAX_CASES);
  const omitted = cases.slice(MAX_CASES);
  return listRules(jobSet).map((rule, index) => {
    const name = asString(rule.name);
    if (index === applying) return { name, outcome: "Applies", job };
    if (applying !== undefined && index > applying) return { name, outcome: "NotReached" };
    return {
      name,
      outcome: "DoesNotApply",
      misses: listed.map((jobs) => ({
        job: getName(jobs[0] ?? {}),
        jobCount: jobs.length,
        misses: getMisses(jobSet, rule, jobs[0] ?? {}, context),
      })),
      omittedCount: omitted.reduce((count, jobs) => count + jobs.length, 0),
    };
  });
}

/** The conditions of a rule. Each can be evaluated alone. */
const targetAndReason = [
  ["target", "targetReplicatedJobs"],
  ["reason", "onJobFailureReasons"],
] as const;

function getMisses(
  jobSet: Unvalidated<JobSet>,
  rule: Unvalidated<FailurePolicyRule>,
  job: Unvalidated<Job>,
  context: Pick<Context, "features">,
): RuleMismatch["misses"] {
  const applies = (condition: Unvalidated<FailurePolicyRule>) => {
    const changed = withRules(jobSet, [{ ...condition, name: "asked", action: "FailJobSet" }]);
    return findApplicableRule(changed, [job], context) !== undefined;
  };
  if (!applies({})) return ["label"];
  const missed = targetAndReason.filter(([, member]) => !applies({ [member]: rule[member] }));
  // Message search is expensive and useless for a rule that cannot apply to this failure.
  if (missed.length > 0) return missed.map(([miss]) => miss);
  return applies(rule) ? ["work"] : ["message"];
}
