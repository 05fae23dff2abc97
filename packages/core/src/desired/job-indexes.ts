import type { JobSet, ReplicatedJob, Unvalidated } from "@jobset-ts/api";
import { asString, getReplicas, getReplicatedJobs } from "../jobset-members.ts";

/** A ReplicatedJob, and the position of its Jobs among all Jobs of the JobSet. */
export interface IndexedReplicatedJob {
  readonly replicatedJob: Unvalidated<ReplicatedJob>;
  readonly name: string;
  readonly groupName: string;
  readonly replicas: number;
  /** The global index of its first Job: the number of replicas of all earlier ReplicatedJobs. */
  readonly firstGlobalIndex: number;
  /** The group index of its first Job: the number of replicas of earlier ReplicatedJobs in its group. */
  readonly firstGroupIndex: number;
  /** The number of replicas of all ReplicatedJobs in its group. */
  readonly groupReplicas: number;
  /** The number of replicas of all ReplicatedJobs. */
  readonly globalReplicas: number;
}

/** Returns the ReplicatedJobs of a JobSet in spec order, with the indexes and counts for the labels of their Jobs. */
export function indexedReplicatedJobs(
  jobSet: Unvalidated<JobSet>,
): readonly IndexedReplicatedJob[] {
  const groupReplicas = new Map<string, number>();
  let globalReplicas = 0;
  const placed = getReplicatedJobs(jobSet).map((replicatedJob) => {
    const groupName = asString(replicatedJob.groupName);
    const replicas = getReplicas(replicatedJob);
    const firstGlobalIndex = globalReplicas;
    const firstGroupIndex = groupReplicas.get(groupName) ?? 0;
    globalReplicas += replicas;
    groupReplicas.set(groupName, firstGroupIndex + replicas);
    const name = asString(replicatedJob.name);
    return { replicatedJob, name, groupName, replicas, firstGlobalIndex, firstGroupIndex };
  });
  return placed.map(
    ({ replicatedJob, name, groupName, replicas, firstGlobalIndex, firstGroupIndex }) => ({
      replicatedJob,
      name,
      groupName,
      replicas,
      firstGlobalIndex,
      firstGroupIndex,
      groupReplicas: groupReplicas.get(groupName) ?? 0,
      globalReplicas,
    }),
  );
}

/** Returns the number of Jobs in the spec of a JobSet: the replicas of all its ReplicatedJobs. */
export function jobCount(jobSet: Unvalidated<JobSet>): number {
  return getReplicatedJobs(jobSet).reduce(
    (count, replicatedJob) => count + Math.max(0, getReplicas(replicatedJob)),
    0,
  );
}
