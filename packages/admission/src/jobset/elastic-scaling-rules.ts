import type { JobSet, Unvalidated } from "@jobset-ts/api";
import { CONDITION_COMPLETED, CONDITION_FAILED } from "@jobset-ts/api/conditions";
import { forbidden, invalid } from "@jobset-ts/api/errors";
import { asArray } from "@jobset-ts/api/kubernetes";
import type { ReplicatedJobPair, UpdateView } from "./update-view.ts";
import type { Violations } from "./violations.ts";

/** Checks the new size of Indexed Jobs. Without the gate `ElasticJobSet` no size may change. */
export function elasticScalingRules({ before, after, pairs }: UpdateView, found: Violations): void {
  if (!after.features.has("ElasticJobSet")) return;
  const hasEnded = isTerminal(before.jobSet);
  for (const pair of pairs) {
    if (pair.before !== undefined && pair.after.completionMode === "Indexed") {
      scalingRules(pair, pair.before, hasEnded, found);
    }
  }
}

/** Unchanged values are not checked. */
function scalingRules(
  { after }: ReplicatedJobPair,
  before: NonNullable<ReplicatedJobPair["before"]>,
  hasEnded: boolean,
  found: Violations,
): void {
  const { parallelism, completions } = after;
  const scalesParallelism = parallelism !== before.parallelism;
  const scalesCompletions = completions !== before.completions;
  if (!scalesParallelism && !scalesCompletions) return;
  const field = `${after.field}.template.spec`;
  if (hasEnded) {
    const detail =
      "Cannot mutate parallelism or completions when JobSet is in a terminal state (Completed or Failed)";
    found.add("scaling-before-end", forbidden(field, detail));
    return;
  }
  if (scalesParallelism && parallelism !== undefined && parallelism < 1) {
    const error = invalid(`${field}.parallelism`, parallelism, "parallelism must be >= 1");
    found.add("scaling-positive", error);
  }
  if (scalesCompletions && completions !== undefined && completions < 1) {
    const error = invalid(`${field}.completions`, completions, "completions must be >= 1");
    found.add("scaling-positive", error);
  }
  if (parallelism !== undefined && completions !== undefined && parallelism !== completions) {
    const detail = "completions must be equal to parallelism for Elastic Indexed Jobs";
    const error = invalid(`${field}.completions`, completions, detail);
    found.add("scaling-in-tandem", error);
  }
}

/** Reports whether a JobSet has finished, by its conditions. */
function isTerminal(jobSet: Unvalidated<JobSet>): boolean {
  return asArray(jobSet?.status?.conditions).some(
    (condition) =>
      condition?.status === "True" &&
      (condition.type === CONDITION_COMPLETED || condition.type === CONDITION_FAILED),
  );
}
