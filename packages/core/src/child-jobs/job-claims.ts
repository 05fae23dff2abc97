import type { JobSet, Unvalidated } from "@jobset-ts/api";
import type { Job } from "@jobset-ts/api/kubernetes";
import { asString, getName, getReplicas, getReplicatedJobs } from "../jobset-members.ts";
import type { Quirks } from "../quirks.ts";
import { createNamedJob, type NamedJob } from "../snapshot/child-job.ts";
import type { JobGroup } from "../snapshot/child-jobs.ts";

/**
 * Returns a function that finds the ReplicatedJob that claims a child Job: the one that would create a Job with that
 * name. A Job is unclaimed if its ReplicatedJob was removed or if its index is not below `replicas`. Labels are
 * ignored, because anyone may change them.
 *
 * @returns the name of the ReplicatedJob, `undefined` for an unclaimed Job
 */
export function jobClaims(
  jobSet: Unvalidated<JobSet>,
  context: { readonly quirks: Quirks },
): (job: NamedJob) => string | undefined {
  // Upstream uses the label: it counts a Job for success and failure whatever the label contains.
  if (context.quirks.has("UnclaimedJobsCount")) return ({ replicatedJob }) => replicatedJob ?? "";
  const byStem = new Map<string, Claimant>();
  for (const replicatedJob of getReplicatedJobs(jobSet)) {
    const name = asString(replicatedJob.name);
    byStem.set(jobNameStem(getName(jobSet), name), { name, replicas: getReplicas(replicatedJob) });
  }
  let [stem, claimant]: [string | undefined, Claimant | undefined] = [undefined, undefined];
  return ({ nameStem, nameIndex }) => {
    // Jobs are sorted by name, so most have the same stem as the one before.
    if (nameStem !== stem) [stem, claimant] = [nameStem, byStem.get(nameStem)];
    if (claimant === undefined || nameIndex < 0) return undefined;
    return nameIndex < claimant.replicas ? claimant.name : undefined;
  };
}

/** The name of a ReplicatedJob, and how many Jobs it claims. */
interface Claimant {
  readonly name: string;
  readonly replicas: number;
}

/** Returns the claims of groups of Jobs that are claimed alike, as {@link classifyJobs} returns them. */
export function createGroupClaims(
  jobSet: Unvalidated<JobSet>,
  context: { readonly quirks: Quirks },
): (group: JobGroup) => string | undefined {
  const claimantOf = jobClaims(jobSet, context);
  return ({ traits: { nameStem, replicatedJob }, lowestIndex }) =>
    claimantOf({ nameStem, replicatedJob, nameIndex: lowestIndex });
}

/** Returns the claims of Jobs that have not been read yet. */
export function createJobClaims(
  jobSet: Unvalidated<JobSet>,
  context: { readonly quirks: Quirks },
): (job: Unvalidated<Job>) => string | undefined {
  const claimantOf = jobClaims(jobSet, context);
  return (job) => claimantOf(createNamedJob(job));
}

/** Returns the prefix of a ReplicatedJob's Job names, without the hyphen and the index. */
export function jobNameStem(jobSetName: string, replicatedJobName: string): string {
  return `${jobSetName}-${replicatedJobName}`;
}
