import type { JobSet, ReplicatedJob, Unvalidated } from "@jobset-ts/api";
import { asInteger } from "../jobset-members.ts";
import { indexedReplicatedJobs, jobCount } from "./job-indexes.ts";

/**
 * The maximum number of Jobs that are built, planned or listed for one JobSet. No cluster runs that many, and they fit
 * into memory.
 */
export const MAX_DESIRED_JOBS = 200_000;

/** The maximum number of Pods that are listed for one JobSet. No cluster runs that many. */
export const MAX_DESIRED_PODS = 200_000;

/** A field by which a JobSet requests more Jobs or Pods than a limit. */
export interface SizeExcess {
  /** For example `spec.replicatedJobs[0].replicas`. */
  readonly field: string;
  readonly resource: "Jobs" | "Pods";
  /** The number of Jobs or Pods that the whole JobSet requests. */
  readonly count: number;
  readonly limit: number;
}

/** The limits of {@link findSizeExcess}. */
export interface SizeLimits {
  readonly jobs: number;
  readonly pods: number;
  /** Whether to count only Pods of Indexed Jobs, which have an address. Default: all Pods. */
  readonly onlyIndexed?: boolean;
}

/**
 * Finds the field by which a JobSet requests more Jobs or Pods than a limit. The cost does not depend on the numbers.
 *
 * The number of Pods of a Job is `completions`, or `parallelism` if that is absent, or 1 if both are absent.
 *
 * @param limits - default: {@link MAX_DESIRED_JOBS} and {@link MAX_DESIRED_PODS}
 * @returns the field of the ReplicatedJob that exceeds the limit first; `undefined` if the JobSet is within the limits
 * @example
 * const jobSet = { spec: { replicatedJobs: [{ name: "w", replicas: 1_000_000_000 }] } };
 * findSizeExcess(jobSet)?.field // => "spec.replicatedJobs[0].replicas"
 */
export function findSizeExcess(
  jobSet: Unvalidated<JobSet>,
  limits: SizeLimits = { jobs: MAX_DESIRED_JOBS, pods: MAX_DESIRED_PODS },
): SizeExcess | undefined {
  const jobs = jobCount(jobSet);
  const replicatedJobs = indexedReplicatedJobs(jobSet).map(({ replicatedJob, replicas }) => {
    const { podsPerJob, member } = getPodsPerJob(replicatedJob, limits.onlyIndexed === true);
    const jobCount = Math.max(0, replicas);
    return { jobCount, podsPerJob, podCount: jobCount * podsPerJob, member };
  });
  const pods = replicatedJobs.reduce((sum, { podCount }) => sum + podCount, 0);
  let [jobSum, podSum] = [0, 0];
  for (const [index, { jobCount, podsPerJob, podCount, member }] of replicatedJobs.entries()) {
    const field = `spec.replicatedJobs[${index}]`;
    jobSum += jobCount;
    podSum += podCount;
    if (jobSum > limits.jobs) {
      return { field: `${field}.replicas`, resource: "Jobs", count: jobs, limit: limits.jobs };
    }
    if (podSum > limits.pods) {
      const at = jobCount > podsPerJob ? "replicas" : `template.spec.${member}`;
      return { field: `${field}.${at}`, resource: "Pods", count: pods, limit: limits.pods };
    }
  }
  return undefined;
}

function getPodsPerJob(
  { template }: Unvalidated<ReplicatedJob>,
  onlyIndexed: boolean,
): { readonly podsPerJob: number; readonly member: "completions" | "parallelism" } {
  const { completions, parallelism, completionMode } = template?.spec ?? {};
  const member = Number.isSafeInteger(completions) ? "completions" : "parallelism";
  if (onlyIndexed && completionMode !== "Indexed") return { podsPerJob: 0, member };
  return { podsPerJob: Math.max(0, asInteger(completions, asInteger(parallelism, 1))), member };
}
