import type { JobSet, Unvalidated } from "@jobset-ts/api";
import type { Job } from "@jobset-ts/api/kubernetes";
import { createJobClaims } from "../child-jobs/job-claims.ts";
import { asArray, asString, getName, getReplicas, getReplicatedJobs } from "../jobset-members.ts";
import type { Quirks } from "../quirks.ts";

/** The action for the successful Jobs of a JobSet. */
export type SuccessDecision =
  | { readonly action: "None" }
  | {
      readonly action: "Complete";
      /** The satisfied operator. */
      readonly operator: string;
      /** How many of the counted Jobs have succeeded, and how many had to. */
      readonly done: number;
      readonly needed: number;
    };

/**
 * Reports whether the success policy is satisfied.
 *
 * Only Jobs of the target ReplicatedJobs count, or all Jobs without targets. The operator `Any` needs one of them to
 * succeed, `All` needs all. If the targets have no Jobs, the JobSet does not complete. An absent policy is `All` over
 * all Jobs.
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
  // Upstream completes the JobSet with the first success of any Job if the targets have no Jobs.
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
