import type { JobSet, Unvalidated } from "@jobset-ts/api";
import { REPLICATED_JOB_NAME_KEY } from "@jobset-ts/api/keys";
import { getName, type Job } from "@jobset-ts/api/kubernetes";
import type { Context } from "@jobset-ts/core";
import { evaluateFailurePolicy, type FailureDecision } from "@jobset-ts/core/policies";
import { type FailureCase, findApplicableRule, listRules, withRules } from "./failure-cases.ts";
import {
  afterDecision,
  createStatuses,
  type RestartCounts,
  restartCounts,
} from "./restart-counts.ts";

/** The state of a JobSet after every failure has led to a decision, or its Job was removed. */
export interface FailureResult {
  /** `Refused`: the rule requests an impossible action, and the JobSet does not change. */
  readonly outcome: "Failed" | "Restarted" | "Refused";
  /** The failure reason of the JobSet. */
  readonly reason?: string;
  readonly counts: RestartCounts;
}

/**
 * Whether the result depends on processing the failures together.
 *
 * A slow controller finds several failures in one reconcile, and the first rule that applies to any of them decides. A
 * fast controller finds them one by one. A restart of the JobSet then removes Jobs that have not failed yet, so their
 * failures never happen.
 */
export type AlternativeOrders =
  /** All tried orders have the same result as all failures together. */
  | {
      readonly outcome: "Same";
      /** Whether all orders were tried. Otherwise the search reached its limit. */
      readonly complete: boolean;
    }
  | {
      readonly outcome: "Different";
      /** An order with a different result if each failure is processed alone. Later failures no longer matter. */
      readonly order: readonly string[];
      readonly result: FailureResult;
    }
  | { readonly outcome: "NotLooked"; readonly message: string };

/** The maximum number of failures in a search, because each decision reads all remaining ones. */
const MAX_FAILURES = 100;
/** The maximum number of cases, because messages are searched for each. */
const MAX_CASES = 20;
/** The maximum number of decisions in a search. */
const MAX_DECISIONS = 1_000;

/**
 * Returns the result of all failures together, and whether any order has a different result if they are processed one
 * after the other.
 */
export function failureOrders(
  jobSet: Unvalidated<JobSet>,
  cases: readonly FailureCase[],
  context: Pick<Context, "features">,
): { readonly result?: FailureResult; readonly orders: AlternativeOrders } {
  const count = cases.reduce((sum, jobs) => sum + jobs.length, 0);
  if (count === 0) return { orders: { outcome: "Same", complete: true } };
  if (count > MAX_FAILURES || cases.length > MAX_CASES) {
    const message = `${count} failures of ${cases.length} kinds are too many to try other orders; the limit is ${MAX_FAILURES} failures of ${MAX_CASES} kinds`;
    return { orders: { outcome: "NotLooked", message } };
  }
  const failures = cases.map((jobs) => ({
    jobs,
    rule: findApplicableRule(jobSet, jobs.slice(0, 1), context),
  }));
  const none = Number.POSITIVE_INFINITY;
  const together = findApplicableRule(jobSet, cases.flat(), context) ?? none;
  if (together !== Math.min(...failures.map(({ rule }) => rule ?? none))) {
    const message =
      "a search of all failure messages together exceeds the work limit, so a rule may match a single failure but not the same failure among the others";
    return { orders: { outcome: "NotLooked", message } };
  }
  const result = listSimultaneous(jobSet, failures, context);
  return { result, orders: findDifferentOrder(jobSet, failures, { result, context }) };
}

/** Failures that no rule can distinguish, and the index of the rule that applies to them. */
interface Failures {
  readonly jobs: FailureCase;
  readonly rule: number | undefined;
}

function listSimultaneous(
  jobSet: Unvalidated<JobSet>,
  failures: readonly Failures[],
  context: Pick<Context, "features">,
): FailureResult {
  let next = step(jobSet, failures, failures, context);
  while (next.result === undefined) next = step(next.jobSet, next.left, next.left, context);
  return next.result;
}

function findDifferentOrder(
  jobSet: Unvalidated<JobSet>,
  failures: readonly Failures[],
  {
    result,
    context,
  }: { readonly result: FailureResult; readonly context: Pick<Context, "features"> },
): AlternativeOrders {
  const together = JSON.stringify(result);
  let decisions = 0;
  const seen = new Set<string>();
  const walks: Walk[] = [{ jobSet, left: failures, order: [] }];
  for (let walk = walks.pop(); walk !== undefined; walk = walks.pop()) {
    const next: Walk[] = [];
    // One failure of each kind suffices, because no rule can distinguish them.
    for (const { jobs, rule } of walk.left) {
      if (decisions === MAX_DECISIONS) return { outcome: "Same", complete: false };
      decisions += 1;
      const found = [{ jobs: jobs.slice(0, 1), rule }];
      const order = [...walk.order, getName(jobs[0] ?? {})];
      const after = step(walk.jobSet, found, walk.left, context);
      if (after.result === undefined) {
        // The same failures lead to the same counts in any order.
        const state = after.left.map((one) => [
          one.rule,
          getName(one.jobs[0] ?? {}),
          one.jobs.length,
        ]);
        const key = JSON.stringify([restartCounts(after.jobSet), state]);
        if (!seen.has(key)) next.push({ jobSet: after.jobSet, left: after.left, order });
        seen.add(key);
      } else if (JSON.stringify(after.result) !== together) {
        return { outcome: "Different", order, result: after.result };
      }
    }
    walks.push(...next.reverse());
  }
  return { outcome: "Same", complete: true };
}

/** A JobSet after some failures, and the remaining ones. */
interface Walk {
  readonly jobSet: Unvalidated<JobSet>;
  readonly left: readonly Failures[];
  readonly order: readonly string[];
}

type Step =
  | { readonly result: FailureResult }
  | {
      readonly result?: undefined;
      readonly jobSet: Unvalidated<JobSet>;
      readonly left: readonly Failures[];
    };

/** Applies a decision. A Job that restarts alone does not affect the others. */
function step(
  jobSet: Unvalidated<JobSet>,
  found: readonly Failures[],
  left: readonly Failures[],
  context: Pick<Context, "features">,
): Step {
  const { decision, job } = decide(jobSet, found, context);
  const after = afterDecision(jobSet, decision, job);
  if (after === undefined) {
    return { result: { outcome: "Refused", counts: restartCounts(jobSet) } };
  }
  const counts = restartCounts(after);
  switch (decision.action) {
    case "FailJobSet":
      return { result: { outcome: "Failed", reason: decision.reason, counts } };
    case "RestartJob":
    case "RestartJobAndIgnoreMaxRestarts": {
      const rest = left
        .map((one) => ({ ...one, jobs: one.jobs.filter((other) => other !== job) }))
        .filter(({ jobs }) => jobs.length > 0);
      if (rest.length > 0) return { jobSet: after, left: rest };
      return { result: { outcome: "Restarted", counts } };
    }
    default:
      return { result: { outcome: "Restarted", counts } };
  }
}

/**
 * Evaluates the policy for failures whose matching rules are known. The rules match a marker instead of messages, so
 * that messages are searched only once.
 */
function decide(
  jobSet: Unvalidated<JobSet>,
  found: readonly Failures[],
  context: Pick<Context, "features">,
): { readonly decision: FailureDecision; readonly job: Unvalidated<Job> } {
  const rules = listRules(jobSet).map(({ name, action }, index) => ({
    ...(name !== undefined && { name }),
    ...(action !== undefined && { action }),
    targetReplicatedJobs: [`${index}`],
  }));
  const jobs = found.flatMap((one) => one.jobs);
  const marked = found
    .flatMap((one) => one.jobs.map((job) => ({ job, rule: one.rule })))
    .map(({ job, rule }, index) => ({
      metadata: { name: `${index}`, labels: { [REPLICATED_JOB_NAME_KEY]: `${rule}` } },
      ...(job.status !== undefined && { status: job.status }),
    }));
  const statuses = createStatuses(jobSet);
  const { decision } = evaluateFailurePolicy(withRules(jobSet, rules), marked, statuses, context);
  const job = decision.action === "None" ? undefined : jobs[Number(decision.job)];
  return { decision, job: job ?? {} };
}
