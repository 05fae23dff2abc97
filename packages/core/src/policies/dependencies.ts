import type {
  DependsOn,
  JobSet,
  Observed,
  ReplicatedJob,
  ReplicatedJobStatus,
} from "@jobset-ts/api";
import {
  integerOf,
  isObject,
  listOf,
  membersOf,
  replicasOf,
  replicatedJobsOf,
  textOf,
} from "../jobset-members.ts";

/** Whether the Jobs of a ReplicatedJob may be created and resumed as far as `dependsOn` goes. */
export type DependencyDecision =
  | { readonly action: "Proceed" }
  | {
      readonly action: "Wait";
      /** The first dependency that has not been reached. */
      readonly dependsOn: Observed<DependsOn>;
    };

/**
 * Whether a dependency has come far enough for the Jobs that wait on it.
 *
 * `Ready` counts Jobs that are ready, have succeeded or have failed, so a dependency that has already run to its
 * end does not block. `Complete` counts succeeded Jobs only. Both ask for equality: surplus Jobs block.
 *
 * @param counts - the ReplicatedJob's counters in the current restart attempt
 * @see JobSet v1alpha2 `DependsOnStatus`; KEP-672
 * @example dependencyReached("Ready", 2, { ready: 1, succeeded: 1, failed: 0 }) // => true
 */
export function dependencyReached(
  status: string | undefined,
  replicas: number,
  counts: Pick<ReplicatedJobStatus, "ready" | "succeeded" | "failed">,
): boolean {
  switch (status) {
    case "Complete":
      return counts?.succeeded === replicas;
    case "Ready":
      return startedCount(counts) === replicas;
    default:
      // A status newer than ours cannot be judged, and upstream lets it pass.
      return true;
  }
}

/** The Jobs of a ReplicatedJob that are ready or have ended. */
export function startedCount(
  counts: Pick<ReplicatedJobStatus, "ready" | "succeeded" | "failed">,
): number {
  const { ready, succeeded, failed } = membersOf(counts);
  return integerOf(ready, 0) + integerOf(succeeded, 0) + integerOf(failed, 0);
}

/**
 * The gate of each ReplicatedJob, in spec order.
 *
 * A dependency is compared with the replicas of ReplicatedJobs up to and including the one that waits: admission
 * lets none depend on a later one, and where it is bypassed that one counts as having no Jobs.
 *
 * @param statuses - the counters `atGates` of `replicatedJobsStatus`: those that are written into the status count
 * suspended Jobs as ready
 */
export function evaluateDependencies(
  jobSet: Observed<JobSet>,
  statuses: readonly ReplicatedJobStatus[],
): readonly DependencyDecision[] {
  const counts = new Map(
    listOf(statuses)
      .filter(isObject)
      .map((status) => [status.name, status]),
  );
  const replicas = new Map<string, number>();
  return replicatedJobsOf(jobSet).map((replicatedJob) => {
    replicas.set(textOf(replicatedJob.name), replicasOf(replicatedJob));
    const waitingOn = firstUnreached(replicatedJob, replicas, counts);
    return waitingOn === undefined
      ? { action: "Proceed" }
      : { action: "Wait", dependsOn: waitingOn };
  });
}

function firstUnreached(
  replicatedJob: Observed<ReplicatedJob>,
  replicas: ReadonlyMap<string, number>,
  counts: ReadonlyMap<string, ReplicatedJobStatus>,
): Observed<DependsOn> | undefined {
  return listOf(replicatedJob.dependsOn)
    .filter(isObject)
    .find((dependency) => {
      const name = textOf(dependency.name);
      const status = counts.get(name);
      return (
        status === undefined ||
        !dependencyReached(dependency.status, replicas.get(name) ?? 0, status)
      );
    });
}
