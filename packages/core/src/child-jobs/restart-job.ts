import {
  type JobSet,
  parseIntegerLabel,
  type ReplicatedJobStatus,
  type Unvalidated,
} from "@jobset-ts/api";
import { JOB_INDEX_KEY, REPLICATED_JOB_NAME_KEY } from "@jobset-ts/api/keys";
import type { Job } from "@jobset-ts/api/kubernetes";
import { incrementInt32 } from "@jobset-ts/api/typed";
import { MAX_DESIRED_JOBS } from "../desired/size-limits.ts";
import {
  asArray,
  asInteger,
  asString,
  getLabel,
  getName,
  getReplicas,
  getReplicatedJobs,
  isObject,
} from "../jobset-members.ts";

/** The restart counts after one more restart, or why the restart cannot be counted. */
export type RestartJobResult =
  | {
      readonly ok: true;
      readonly replicatedJob: string;
      readonly counts: Pick<ReplicatedJobStatus, "jobRestarts" | "jobRestartsCountTowardsMax">;
    }
  | { readonly ok: false; readonly message: string };

/**
 * Counts one more restart of an individual Job (gate `RestartJob`). Only the Job's slot changes. A restart that
 * does not count leaves the second list unchanged, or absent.
 *
 * @param statuses - the entries of the status, one of which changes
 */
export function restartJob(
  jobSet: Unvalidated<JobSet>,
  job: Unvalidated<Job>,
  statuses: readonly ReplicatedJobStatus[],
  countsTowardsMax: boolean,
): RestartJobResult {
  const name = getName(job);
  for (const key of [REPLICATED_JOB_NAME_KEY, JOB_INDEX_KEY]) {
    if (getLabel(job, key) === undefined) {
      return { ok: false, message: `failed job ${name} missing ${key} label` };
    }
  }
  const replicatedJob = getLabel(job, REPLICATED_JOB_NAME_KEY) ?? "";
  const indexLabel = getLabel(job, JOB_INDEX_KEY) ?? "";
  const index = parseIntegerLabel(indexLabel);
  if (!index.ok) {
    const message = `failed job ${name} has invalid ${JOB_INDEX_KEY} label: ${indexLabel}: ${index.message}`;
    return { ok: false, message };
  }
  const replicas = replicasNamed(jobSet, replicatedJob);
  const entry = asArray(statuses).find((status) => status?.name === replicatedJob);
  const length = Math.max(replicas, asArray(entry?.jobRestarts).length);
  if (index.value < 0 || index.value >= length) {
    const message = `failed job ${name} has index ${index.decimal} out of bounds for replicated job ${replicatedJob} (replicas: ${length})`;
    return { ok: false, message };
  }
  if (length > MAX_DESIRED_JOBS) {
    const message = `failed job ${name} is one of ${length} jobs of replicated job ${replicatedJob}, and no more than ${MAX_DESIRED_JOBS} can be counted one by one`;
    return { ok: false, message };
  }
  const jobRestarts = incrementRestarts(entry?.jobRestarts, replicas, index.value);
  const counted = countsTowardsMax
    ? incrementRestarts(entry?.jobRestartsCountTowardsMax, replicas, index.value)
    : entry?.jobRestartsCountTowardsMax;
  return {
    ok: true,
    replicatedJob,
    counts: { jobRestarts, ...(counted !== undefined && { jobRestartsCountTowardsMax: counted }) },
  };
}

function replicasNamed(jobSet: Unvalidated<JobSet>, name: string): number {
  const replicatedJob = getReplicatedJobs(jobSet).find((one) => asString(one.name) === name);
  return isObject(replicatedJob) ? Math.max(0, getReplicas(replicatedJob)) : 0;
}

/**
 * Returns a list of counts with one count increased. A new list has one count for each Job. Missing counts before
 * that index are zero.
 */
function incrementRestarts(
  stored: readonly number[] | undefined,
  replicas: number,
  index: number,
): number[] {
  const counts = asArray(stored);
  const length = Math.max(counts.length === 0 ? replicas : counts.length, index + 1);
  const next = Array.from({ length }, (_, position) => asInteger(counts[position], 0));
  next[index] = incrementInt32(next[index] ?? 0);
  return next;
}
