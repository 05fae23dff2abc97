import {
  getSubdomain,
  type JobSet,
  jobName,
  podDnsName,
  podHostname,
  type Unvalidated,
} from "@jobset-ts/api";
import type { JobSpec } from "@jobset-ts/api/kubernetes";
import { asInteger, getName } from "../jobset-members.ts";
import { hasDnsHostnames } from "./desired-service.ts";
import { indexedReplicatedJobs } from "./job-indexes.ts";
import { MAX_DESIRED_PODS } from "./size-limits.ts";

/** The address of one Pod of a JobSet. */
export interface PodAddress {
  readonly jobName: string;
  readonly replicatedJobName: string;
  readonly jobIndex: number;
  /** The Pod's index in its Indexed Job, from 0. */
  readonly completionIndex: number;
  readonly hostname: string;
  /** The name that resolves in the JobSet's namespace. Absent if DNS hostnames are disabled. */
  readonly dnsName?: string;
}

/**
 * Returns the stable addresses of a JobSet's Pods, in spec order, then by job index, then by completion index. Pods of
 * Jobs that are not Indexed have none.
 *
 * Lazy: a JobSet may request more Pods than fit into memory.
 *
 * @returns at most {@link MAX_DESIRED_PODS} addresses: `findSizeExcess` reports whether a JobSet requests more
 */
export function* podAddresses(jobSet: Unvalidated<JobSet>): Generator<PodAddress, void, undefined> {
  const subdomain = hasDnsHostnames(jobSet) ? getSubdomain(jobSet) : undefined;
  let left = MAX_DESIRED_PODS;
  for (const { replicatedJob, name, replicas } of indexedReplicatedJobs(jobSet)) {
    const spec = replicatedJob.template?.spec;
    if (spec?.completionMode !== "Indexed") continue;
    const podCount = countPodsOfJob(spec);
    // Skip the whole list without iterating: it may contain more Jobs than can be counted.
    if (podCount <= 0) continue;
    for (let jobIndex = 0; jobIndex < replicas; jobIndex++) {
      const job = jobName(getName(jobSet), name, jobIndex);
      for (let completionIndex = 0; completionIndex < podCount; completionIndex++) {
        if (left === 0) return;
        left -= 1;
        const hostname = podHostname(job, completionIndex);
        yield {
          jobName: job,
          replicatedJobName: name,
          jobIndex,
          completionIndex,
          hostname,
          ...(subdomain !== undefined && { dnsName: podDnsName(hostname, subdomain) }),
        };
      }
    }
  }
}

/** The API server rejects an Indexed Job without completions, unless it defaults both numbers to 1. */
function countPodsOfJob({ completions, parallelism }: Unvalidated<JobSpec>): number {
  return asInteger(completions, parallelism === undefined || parallelism === null ? 1 : 0);
}
