import type { JobSet, Unvalidated } from "@jobset-ts/api";
import type { Job } from "@jobset-ts/api/kubernetes";
import { createJobClaims } from "../child-jobs/job-claims.ts";
import { asArray, asString, getName, getReplicas, getReplicatedJobs } from "../jobset-members.ts";
import type { Quirks } from "../quirks.ts";

/** What the successful Jobs of a JobSet lead to. */
export type SuccessDecision =
  | { readonly action: "None" }
  | {
      readonly action: "Complete";
      /** The operator that is satisfied. */
      readonly operator: string;
      /** How many Jobs have succeeded of those that count, and how many had to. */
      readonly done: number;
      readonly needed: number;
    };

/**
 * Reports whether the success policy is satisfied.
 *
 * Only Jobs that the targets claim count, those of all ReplicatedJobs when none are named. Operator `Any` needs one of
 * them to succeed, `All` every one; where the targets have no Jobs there is nothing to succeed, and the JobSet does not
 * complete. An absent policy is `All` over everything.
 *
 * @param successful - the successful Jobs of the current restart attempt
 */
export function evaluateSuccessPolicy(
  jobSet: Unvalidated<JobSet>,
  successful: readonly Unvalidated<Job>[],
  context: { readonly quirks: Quirks },
): SuccessDecision {
  const claimantOf = createJobClaims(jobSet, context);
  const claimed = asArray(successful)
    .map((job) => ({ name: getName(job), claimant: claimantOf(job) }))
    .filter(({ claimant }) => claimant !== undefined);
  if (claimed.length === 0) return { action: "None" };
  const policy = jobSet?.spec?.successPolicy;
  const operator = asString(policy?.operator ?? "All");
  const targets = new Set(asArray(policy?.targetReplicatedJobs));
  const isTarget = (name: string) => targets.size === 0 || targets.has(name);
  const done = new Set(
    claimed.filter(({ claimant = "" }) => isTarget(claimant)).map(({ name }) => name),
  ).size;

  if (operator === "Any") return decide(operator, done, 1);
  const needed = operator === "All" ? targetReplicas(jobSet, isTarget) : 0;
  // Without a target that could succeed, upstream has the first success of any Job end the JobSet.
  return needed > 0 || context.quirks.has("EmptyTargetCompletes")
    ? decide(operator, done, needed)
    : { action: "None" };
}

function decide(operator: string, done: number, needed: number): SuccessDecision {
  return done >= needed ? { action: "Complete", operator, done, needed } : { action: "None" };
}

function targetReplicas(jobSet: Unvalidated<JobSet>, isTarget: (name: string) => boolean): number {
  return getReplicatedJobs(jobSet)
    .filter(({ name }) => isTarget(asString(name)))
    .reduce((sum, replicatedJob) => sum + getReplicas(replicatedJob), 0);
}
