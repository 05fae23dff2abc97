import type { JobSet, Observed } from "@jobset-ts/api";
import type { Job } from "@jobset-ts/api/kubernetes";
import { claimsOfJobs } from "../child-jobs/job-claims.ts";
import { listOf, nameOf, replicasOf, replicatedJobsOf, textOf } from "../jobset-members.ts";
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
 * Whether the success policy is satisfied.
 *
 * Only Jobs that the targets claim count, those of all ReplicatedJobs when none are named. Operator `Any` needs one
 * of them to succeed, `All` every one; where the targets have no Jobs there is nothing to succeed, and the
 * JobSet does not complete. An absent policy is `All` over everything.
 *
 * @param successful - the successful Jobs of the current restart attempt
 */
export function evaluateSuccessPolicy(
  jobSet: Observed<JobSet>,
  successful: readonly Observed<Job>[],
  context: { readonly quirks: Quirks },
): SuccessDecision {
  const claimantOf = claimsOfJobs(jobSet, context);
  const claimed = listOf(successful)
    .map((job) => ({ name: nameOf(job), claimant: claimantOf(job) }))
    .filter(({ claimant }) => claimant !== undefined);
  if (claimed.length === 0) return { action: "None" };
  const policy = jobSet?.spec?.successPolicy;
  const operator = textOf(policy?.operator ?? "All");
  const targets = new Set(listOf(policy?.targetReplicatedJobs));
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

function targetReplicas(jobSet: Observed<JobSet>, isTarget: (name: string) => boolean): number {
  return replicatedJobsOf(jobSet)
    .filter(({ name }) => isTarget(textOf(name)))
    .reduce((sum, replicatedJob) => sum + replicasOf(replicatedJob), 0);
}
