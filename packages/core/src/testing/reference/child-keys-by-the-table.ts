import type { FeatureGates, JobSet, ReplicatedJob } from "@jobset-ts/api";
import { jobKey } from "../../desired.ts";

/**
 * Computes the keys of one child Job individually, from the JobSet only. Slow and simple, for comparison.
 *
 * @param position - the ReplicatedJob's place in the spec
 */
export function childKeysByTheTable(
  jobSet: JobSet,
  position: number,
  jobIndex: number,
  { features }: { readonly features: FeatureGates },
): Record<string, string> {
  const { name = "", namespace = "", uid = "" } = jobSet.metadata;
  const { coordinator, network, replicatedJobs = [] } = jobSet.spec;
  const replicatedJob = replicatedJobs[position];
  if (replicatedJob === undefined) throw new TypeError(`no ReplicatedJob at ${position}`);
  const { groupName = "" } = replicatedJob;
  const before = replicatedJobs.slice(0, position);
  const inGroup = (other: ReplicatedJob) => (other.groupName ?? "") === groupName;

  const job = [name, replicatedJob.name, jobIndex].join("-");
  const keys: Record<string, string | number> = {
    "jobset-name": name,
    "jobset-uid": uid,
    "replicatedjob-name": replicatedJob.name,
    "restart-attempt": jobSet.status?.restarts ?? 0,
    "replicatedjob-replicas": listJobs([replicatedJob]),
    "global-replicas": listJobs(replicatedJobs),
    "job-index": jobIndex,
    "job-key": jobKey(namespace, job),
    "job-global-index": listJobs(before) + jobIndex,
    "group-name": groupName,
    "group-replicas": listJobs(replicatedJobs.filter(inGroup)),
    "job-group-index": listJobs(before.filter(inGroup)) + jobIndex,
  };
  if (features.has("RestartJob")) {
    const entries = jobSet.status?.replicatedJobsStatus ?? [];
    const stored = entries.find((entry) => entry.name === replicatedJob.name)?.jobRestarts ?? [];
    keys["job-restart-attempt"] = stored[jobIndex] ?? 0;
  }
  if (coordinator !== undefined) {
    const { replicatedJob: target, jobIndex: index = 0, podIndex = 0 } = coordinator;
    const host = [name, target, index, podIndex].join("-");
    keys.coordinator = `${host}.${network?.subdomain || name}`;
  }
  return Object.fromEntries(
    Object.entries(keys).map(([key, value]) => [`jobset.sigs.k8s.io/${key}`, String(value)]),
  );
}

function listJobs(replicatedJobs: readonly ReplicatedJob[]): number {
  let count = 0;
  for (const { replicas = 1 } of replicatedJobs) count += replicas;
  return count;
}
