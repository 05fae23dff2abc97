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
import { type AlternativeOrders, type FailureEnding, failureOrders } from "./failure-orders.ts";
import {
  afterDecision,
  createStatuses,
  type RestartCounts,
  restartCounts,
  withCounters,
} from "./restart-counts.ts";

/** What failed Jobs lead to, and why. */
export interface FailureExplanation {
  /** What the pass that finds these failures decides. */
  readonly decision: FailureDecision;
  /** Every rule of the failure policy, in order. */
  readonly rules: readonly ExplainedRule[];
  /** Patterns that never match, and rules that do not apply since their patterns need too much work. */
  readonly warnings: readonly string[];
  readonly before: RestartCounts;
  /** After the decision; as before where it cannot be carried out. */
  readonly after: RestartCounts;
  /** What comes of all the failures; absent where there are too many to tell. */
  readonly ending?: FailureEnding;
  /** Whether it would have been another ending, had the failures been found one after the other. */
  readonly orders: AlternativeOrders;
}

/** How a rule stands to the failures. */
export type ExplainedRule =
  /** It is the first that applies to any failure, and so decides. */
  | { readonly name: string; readonly outcome: "Applies"; readonly job: string }
  | {
      readonly name: string;
      readonly outcome: "DoesNotApply";
      readonly misses: readonly RuleMismatch[];
      /** The number of further failures that are not listed. */
      readonly omittedCount: number;
    }
  /** It comes after the one that applies, and is not asked. */
  | { readonly name: string; readonly outcome: "NotReached" };

/** Why a rule does not apply to a failure. */
export interface RuleMismatch {
  /** The first of the Jobs that failed for the same reason, with the same message, in one ReplicatedJob. */
  readonly job: string;
  /** How many of them there are. */
  readonly jobCount: number;
  /**
   * - `label`: the Job does not say of which ReplicatedJob it is
   * - `target`: that is none of `targetReplicatedJobs`
   * - `reason`: that is none of `onJobFailureReasons`
   * - `message`: all else fits, but none of `onJobFailureMessagePatterns` is found in it
   * - `work`: all fits, but the patterns of the rules up to this one take more work than a pass may do
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
 * @param failures - Jobs of the current restart attempt with the condition `Failed`; when they failed is in it
 * @param context - with the gate `RestartJob` single Jobs can restart
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
  const told = cases.slice(0, MAX_CASES);
  const omitted = cases.slice(MAX_CASES);
  return listRules(jobSet).map((rule, index) => {
    const name = asString(rule.name);
    if (index === applying) return { name, outcome: "Applies", job };
    if (applying !== undefined && index > applying) return { name, outcome: "NotReached" };
    return {
      name,
      outcome: "DoesNotApply",
      misses: told.map((jobs) => ({
        job: getName(jobs[0] ?? {}),
        jobCount: jobs.length,
        misses: getMisses(jobSet, rule, jobs[0] ?? {}, context),
      })),
      omittedCount: omitted.reduce((count, jobs) => count + jobs.length, 0),
    };
  });
}

/** The conditions of a rule, each of which can be evaluated alone. */
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
    const asked = withRules(jobSet, [{ ...condition, name: "asked", action: "FailJobSet" }]);
    return findApplicableRule(asked, [job], context) !== undefined;
  };
  if (!applies({})) return ["label"];
  const missed = targetAndReason.filter(([, member]) => !applies({ [member]: rule[member] }));
  // Message search is expensive and useless for a rule that cannot apply to this failure.
  if (missed.length > 0) return missed.map(([miss]) => miss);
  return applies(rule) ? ["work"] : ["message"];
}
