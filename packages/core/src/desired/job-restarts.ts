import type { JobSet, Unvalidated } from "@jobset-ts/api";
import { asArray, asInteger, asString, isObject } from "../jobset-members.ts";

/** How often each Job of a ReplicatedJob was restarted on its own (gate `RestartJob`). */
export interface JobRestarts {
  /** The number of Jobs with a count. */
  readonly length: number;
  /** The count of one Job, from index 0. Returns 0 beyond `length`. */
  readonly at: (jobIndex: number) => number;
}

/**
 * Returns the restarts of individual Jobs by ReplicatedJob name: the stored counts, and zeros for the other Jobs of
 * the ReplicatedJob. Upstream adds zeros only if nothing is stored, and panics after `replicas` was increased.
 */
export function jobRestartsByName(
  jobSet: Unvalidated<JobSet>,
): (replicatedJobName: string, replicas: number) => JobRestarts {
  const stored = new Map<string, readonly number[]>();
  for (const entry of asArray(jobSet?.status?.replicatedJobsStatus)) {
    if (!isObject(entry) || stored.has(asString(entry.name))) continue;
    stored.set(asString(entry.name), asArray(entry.jobRestarts));
  }
  return (replicatedJobName, replicas) => {
    const counts = stored.get(replicatedJobName) ?? [];
    return {
      length: Math.max(counts.length, replicas),
      at: (jobIndex) => asInteger(counts[jobIndex], 0),
    };
  };
}
