import type { DependsOn, JobSet, ReplicatedJobStatus, Unvalidated } from "@jobset-ts/api";
import {
  asArray,
  asInteger,
  asRecord,
  asString,
  getReplicas,
  getReplicatedJobs,
  isObject,
} from "../jobset-members.ts";
import type { Quirks } from "../quirks.ts";

/** Whether `dependsOn` allows the creation and the resume of a ReplicatedJob's Jobs. */
export type DependencyDecision =
  | { readonly action: "Proceed" }
  | {
      readonly action: "Wait";
      /** The first dependency that is not satisfied. */
      readonly dependsOn: Unvalidated<DependsOn>;
    };

/**
 * Reports whether the Jobs that wait for a dependency may be created. `Ready` counts Jobs that are ready, succeeded or
 * failed, so a finished dependency does not block. `Complete` counts succeeded Jobs only. Both require equality, so
 * surplus Jobs block.
 *
 * @param counts - the ReplicatedJob's counters in the current restart attempt
 * @see JobSet v1alpha2 `DependsOnStatus`; KEP-672
 * @example isDependencySatisfied("Ready", 2, { ready: 1, succeeded: 1, failed: 0 }) // => true
 */
export function isDependencySatisfied(
  status: string | undefined,
  replicas: number,
  counts: Pick<ReplicatedJobStatus, "ready" | "succeeded" | "failed">,
): boolean {
  switch (status) {
    case "Complete":
      return counts?.succeeded === replicas;
    case "Ready":
      return countStartedJobs(counts) === replicas;
    default:
      // A status newer than this library cannot be evaluated. Upstream treats it as satisfied.
      return true;
  }
}

/** Returns the number of Jobs of a ReplicatedJob that are ready or finished. */
export function countStartedJobs(
  counts: Pick<ReplicatedJobStatus, "ready" | "succeeded" | "failed">,
): number {
  const { ready, succeeded, failed } = asRecord(counts);
  return asInteger(ready, 0) + asInteger(succeeded, 0) + asInteger(failed, 0);
}

/**
 * Returns the gate of each ReplicatedJob, in spec order.
 *
 * A dependency is compared with the replicas of ReplicatedJobs up to and including the waiting one. Admission rejects a
 * dependency on a later one. If admission was bypassed, the later one counts as having no Jobs.
 *
 * @param statuses - the counters `gateCounters` of `replicatedJobsStatus`. The counters in the status are not suitable,
 * because they count suspended Jobs as ready
 */
export function evaluateDependencies(
  jobSet: Unvalidated<JobSet>,
  statuses: readonly ReplicatedJobStatus[],
  { quirks }: { readonly quirks: Quirks },
): readonly DependencyDecision[] {
  // A release that awaits only one dependency waits forever if the status of that one is unknown.
  const awaitsOne = quirks.has("OneDependencyAwaited");
  const counts = new Map(
    asArray(statuses)
      .filter(isObject)
      .map((status) => [status.name, status]),
  );
  const replicas = new Map<string, number>();
  const isUnreached = ({ name, status }: Unvalidated<DependsOn>) => {
    const counted = counts.get(asString(name));
    if (counted === undefined) return true;
    const isStuck = awaitsOne && status !== "Ready" && status !== "Complete";
    return isStuck || !isDependencySatisfied(status, replicas.get(asString(name)) ?? 0, counted);
  };
  return getReplicatedJobs(jobSet).map((replicatedJob) => {
    replicas.set(asString(replicatedJob.name), getReplicas(replicatedJob));
    const dependencies = asArray(replicatedJob.dependsOn).slice(0, awaitsOne ? 1 : undefined);
    const waitingOn = dependencies.filter(isObject).find(isUnreached);
    return waitingOn === undefined
      ? { action: "Proceed" }
      : { action: "Wait", dependsOn: waitingOn };
  });
}
