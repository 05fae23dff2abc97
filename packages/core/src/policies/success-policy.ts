import { type JobSet, jobName, type Observed } from "@jobset-ts/api";
import { REPLICATED_JOB_NAME_KEY } from "@jobset-ts/api/keys";
import type { Job } from "@jobset-ts/api/kubernetes";
import { labelOf, listOf, replicasOf, replicatedJobsOf, textOf } from "../jobset-members.ts";
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
 * Only the Jobs of the targets count, those of all ReplicatedJobs when none are named. Operator `Any` needs one
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
  const jobs = listOf(successful);
  if (jobs.length === 0) return { action: "None" };
  const policy = jobSet?.spec?.successPolicy;
  const operator = textOf(policy?.operator ?? "All");
  const targets = new Set(listOf(policy?.targetReplicatedJobs));
  const isTarget = (name: string) => targets.size === 0 || targets.has(name);
  const counted = jobs.filter((job) => isTarget(labelOf(job, REPLICATED_JOB_NAME_KEY) ?? ""));

  if (operator === "Any") return decide(operator, counted.length, 1);
  const needed = operator === "All" ? targetReplicas(jobSet, isTarget) : 0;
  // Upstream compares numbers: surplus Jobs stand in for missing ones, and without a target that could succeed
  // the first success of any other Job ends the JobSet.
  if (context.quirks.has("EmptyTargetCompletes")) return decide(operator, counted.length, needed);
  const succeeded = new Set(counted.map((job) => job?.metadata?.name));
  return needed <= 0
    ? { action: "None" }
    : decide(operator, Math.min(needed, succeededTargets(jobSet, isTarget, succeeded)), needed);
}

function decide(operator: string, done: number, needed: number): SuccessDecision {
  return done >= needed ? { action: "Complete", operator, done, needed } : { action: "None" };
}

function targetReplicas(jobSet: Observed<JobSet>, isTarget: (name: string) => boolean): number {
  return replicatedJobsOf(jobSet)
    .filter(({ name }) => isTarget(textOf(name)))
    .reduce((sum, replicatedJob) => sum + replicasOf(replicatedJob), 0);
}

/** How many Jobs that the targets ask for are among those that succeeded. */
function succeededTargets(
  jobSet: Observed<JobSet>,
  isTarget: (name: string) => boolean,
  succeeded: ReadonlySet<string | undefined>,
): number {
  let count = 0;
  for (const replicatedJob of replicatedJobsOf(jobSet)) {
    const name = textOf(replicatedJob.name);
    if (!isTarget(name)) continue;
    // No more indexes than Jobs can have succeeded before one of them has not.
    const limit = Math.min(replicasOf(replicatedJob), succeeded.size);
    for (let index = 0; index < limit; index++) {
      if (succeeded.has(jobName(textOf(jobSet?.metadata?.name), name, index))) count += 1;
    }
  }
  return count;
}
