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

/** What is left of a JobSet once every failure has led to a decision, or to the end of the Job that failed. */
export interface FailureEnding {
  /** `Refused`: a rule asks for what cannot be done, and the JobSet stays as it is. */
  readonly outcome: "Failed" | "Restarted" | "Refused";
  /** Of the JobSet that failed. */
  readonly reason?: string;
  readonly counts: RestartCounts;
}

/**
 * Whether it made a difference that the failures were there together.
 *
 * A controller that is slow or was away finds them in one look, and the first rule that applies to any of them decides.
 * One that is quick finds one after the other: a JobSet that restarts takes the Jobs that have not failed yet
 * with it, and what would have come of them never happens.
 */
export type AlternativeOrders =
  /** As far as was looked, every order ends as the failures together do. */
  | {
      readonly outcome: "Same";
      /** Whether all orders were tried, or only as many as the search allows. */
      readonly complete: boolean;
    }
  | {
      readonly outcome: "Different";
      /** An order, one failure after the other, that ends differently; who comes later makes no difference any more. */
      readonly order: readonly string[];
      readonly ending: FailureEnding;
    }
  | { readonly outcome: "NotLooked"; readonly message: string };

/** The maximum number of failures in a search, because each decision reads all that are left. */
const MAX_FAILURES = 100;
/** How many cases there may be, since messages are searched for each of them. */
const MAX_CASES = 20;
/** How many decisions the search may take. */
const MAX_DECISIONS = 1_000;

/** How the failures end that are found together; and whether some order of them, found one after the other, ends differently. */
export function failureOrders(
  jobSet: Unvalidated<JobSet>,
  cases: readonly FailureCase[],
  context: Pick<Context, "features">,
): { readonly ending?: FailureEnding; readonly orders: AlternativeOrders } {
  const count = cases.reduce((sum, jobs) => sum + jobs.length, 0);
  if (count === 0) return { orders: { outcome: "Same", complete: true } };
  if (count > MAX_FAILURES || cases.length > MAX_CASES) {
    const message = `there are ${count} failures of ${cases.length} kinds; orders are tried for ${MAX_FAILURES} failures of ${MAX_CASES} kinds at most`;
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
      "to search the messages of all failures takes too much work, so that rules apply to one which do not apply to all";
    return { orders: { outcome: "NotLooked", message } };
  }
  const ending = listSimultaneous(jobSet, failures, context);
  return { ending, orders: findDifferentOrder(jobSet, failures, { ending, context }) };
}

/** Failures that no rule can tell apart, and the place of the rule that applies to them. */
interface Failures {
  readonly jobs: FailureCase;
  readonly rule: number | undefined;
}

function listSimultaneous(
  jobSet: Unvalidated<JobSet>,
  failures: readonly Failures[],
  context: Pick<Context, "features">,
): FailureEnding {
  let next = step(jobSet, failures, failures, context);
  while (next.ending === undefined) next = step(next.jobSet, next.left, next.left, context);
  return next.ending;
}

function findDifferentOrder(
  jobSet: Unvalidated<JobSet>,
  failures: readonly Failures[],
  {
    ending,
    context,
  }: { readonly ending: FailureEnding; readonly context: Pick<Context, "features"> },
): AlternativeOrders {
  const together = JSON.stringify(ending);
  let decisions = 0;
  const seen = new Set<string>();
  const walks: Walk[] = [{ jobSet, left: failures, order: [] }];
  for (let walk = walks.pop(); walk !== undefined; walk = walks.pop()) {
    const next: Walk[] = [];
    // One of each kind will do: whichever of them is found first, no rule can tell.
    for (const { jobs, rule } of walk.left) {
      if (decisions === MAX_DECISIONS) return { outcome: "Same", complete: false };
      decisions += 1;
      const found = [{ jobs: jobs.slice(0, 1), rule }];
      const order = [...walk.order, getName(jobs[0] ?? {})];
      const result = step(walk.jobSet, found, walk.left, context);
      if (result.ending === undefined) {
        // The same failures have led to the same counts, whatever their order.
        const state = result.left.map((one) => [
          one.rule,
          getName(one.jobs[0] ?? {}),
          one.jobs.length,
        ]);
        const key = JSON.stringify([restartCounts(result.jobSet), state]);
        if (!seen.has(key)) next.push({ jobSet: result.jobSet, left: result.left, order });
        seen.add(key);
      } else if (JSON.stringify(result.ending) !== together) {
        return { outcome: "Different", order, ending: result.ending };
      }
    }
    walks.push(...next.reverse());
  }
  return { outcome: "Same", complete: true };
}

/** A JobSet after some failures, and those that are still to be found. */
interface Walk {
  readonly jobSet: Unvalidated<JobSet>;
  readonly left: readonly Failures[];
  readonly order: readonly string[];
}

type Step =
  | { readonly ending: FailureEnding }
  | {
      readonly ending?: undefined;
      readonly jobSet: Unvalidated<JobSet>;
      readonly left: readonly Failures[];
    };

/** What comes of the failures that were found; a Job that restarts alone leaves all others as they are. */
function step(
  jobSet: Unvalidated<JobSet>,
  found: readonly Failures[],
  left: readonly Failures[],
  context: Pick<Context, "features">,
): Step {
  const { decision, job } = decide(jobSet, found, context);
  const after = afterDecision(jobSet, decision, job);
  if (after === undefined) {
    return { ending: { outcome: "Refused", counts: restartCounts(jobSet) } };
  }
  const counts = restartCounts(after);
  switch (decision.action) {
    case "FailJobSet":
      return { ending: { outcome: "Failed", reason: decision.reason, counts } };
    case "RestartJob":
    case "RestartJobAndIgnoreMaxRestarts": {
      const rest = left
        .map((one) => ({ ...one, jobs: one.jobs.filter((other) => other !== job) }))
        .filter(({ jobs }) => jobs.length > 0);
      if (rest.length > 0) return { jobSet: after, left: rest };
      return { ending: { outcome: "Restarted", counts } };
    }
    default:
      return { ending: { outcome: "Restarted", counts } };
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
