import type { JobSet } from "@jobset-ts/api";
import { asArray, type Job, namespacedName } from "@jobset-ts/api/kubernetes";
import { jobState } from "@jobset-ts/core/child-jobs";
import type { Objects } from "../api-server/objects.ts";
import { attemptText, getAttempt } from "./restart-attempt.ts";

/**
 * Returns facts about the final state of the JobSets in a cluster, one per line. Omits values that always differ
 * between runs: times, UIDs and Pod names. Two runs have the same final state if their facts are equal.
 *
 * @example summarizeFinalState(simulate(randomScenario(1)).end.objects).some((line) => line.startsWith("JobSet ")) // => true
 */
export function summarizeFinalState(objects: Objects): readonly string[] {
  const jobSets = objects.ofKind<JobSet>("JobSet").flatMap((jobSet) => {
    const { status } = jobSet;
    const name = `JobSet ${namespacedName(jobSet)}`;
    return [
      `${name}: ${status?.terminalState ?? "not ended"}, ${status?.restarts ?? 0} restarts, ${status?.restartsCountTowardsMax ?? 0} counted`,
      ...asArray(status?.conditions).map(
        ({ type, status: value, reason }) => `${name}: ${type} ${value} ${reason}`,
      ),
    ];
  });
  const jobs = objects
    .ofKind<Job>("Job")
    .map((job) => `Job ${namespacedName(job)}: ${jobState(job)}, ${attemptText(getAttempt(job))}`);
  const others = (["Service", "PersistentVolumeClaim"] as const).flatMap((kind) =>
    objects.ofKind(kind).map((object) => `${kind} ${namespacedName(object)}`),
  );
  return [...jobSets, ...jobs, ...others].sort();
}

/** Returns the facts that only one of two final states has. */
export function compareFinalStates(
  expected: readonly string[],
  actual: readonly string[],
): { readonly missing: readonly string[]; readonly added: readonly string[] } {
  return {
    missing: expected.filter((line) => !actual.includes(line)),
    added: actual.filter((line) => !expected.includes(line)),
  };
}
