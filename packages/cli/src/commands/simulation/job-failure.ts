import {
  type EpochMillis,
  formatTime,
  type JobSet,
  jobName,
  type Unvalidated,
} from "@jobset-ts/api";
import { REPLICATED_JOB_NAME_KEY } from "@jobset-ts/api/keys";
import { getName, getNamespace, type Job } from "@jobset-ts/api/kubernetes";
import { suggestName } from "@jobset-ts/api/text";
import { indexedReplicatedJobs } from "@jobset-ts/core/desired";
import type { Diagnostic } from "../../output/diagnostics.ts";

/** A failure from the command line. */
export interface JobFailure {
  /** The name of the Job. */
  readonly job: string;
  /** The time of the failure. Absent means the time of the dump. */
  readonly at?: EpochMillis;
  readonly reason: string;
  readonly message: string;
}

/**
 * Returns a Job of a JobSet after its failure. A Job that is not in the dump is created from the JobSet.
 *
 * @param cluster.jobs - the existing child Jobs
 */
export function createFailedJob(
  { job: name, at, reason, message }: JobFailure,
  cluster: {
    readonly jobSet: Unvalidated<JobSet>;
    readonly jobs: readonly Unvalidated<Job>[];
    readonly now: EpochMillis;
  },
):
  | { readonly ok: true; readonly job: Unvalidated<Job> }
  | { readonly ok: false; readonly diagnostic: Diagnostic } {
  const { jobSet, jobs, now } = cluster;
  const found = jobs.find((one) => getName(one) === name) ?? createDesiredJob(jobSet, name);
  if (found === undefined) {
    const known = [...jobs.map(getName), ...suggestJobs(jobSet, name)];
    const message = `JobSet ${getNamespace(jobSet)}/${getName(jobSet)} has no Job "${name}"${suggestName(name, known)}`;
    return { ok: false, diagnostic: { severity: "error", message } };
  }
  const lastTransitionTime = formatTime(at ?? now);
  const condition = {
    type: "Failed",
    status: "True",
    reason,
    message,
    lastTransitionTime,
  } as const;
  return { ok: true, job: { ...found, status: { conditions: [condition] } } };
}

function createDesiredJob(jobSet: Unvalidated<JobSet>, name: string): Unvalidated<Job> | undefined {
  const jobIndex = Number(/(?:0|[1-9]\d*)$/.exec(name)?.[0] ?? Number.NaN);
  const owner = indexedReplicatedJobs(jobSet).find(
    (one) => jobIndex < one.replicas && jobName(getName(jobSet), one.name, jobIndex) === name,
  );
  if (owner === undefined) return undefined;
  const labels = { [REPLICATED_JOB_NAME_KEY]: owner.name };
  return { metadata: { name, namespace: getNamespace(jobSet), labels } };
}

/** Returns the Jobs of a JobSet with the index at the end of a name: at most one for each ReplicatedJob. */
export function suggestJobs(jobSet: Unvalidated<JobSet>, name: string): readonly string[] {
  const jobIndex = Number(/-(\d{1,9})$/.exec(name)?.[1] ?? 0);
  return indexedReplicatedJobs(jobSet)
    .filter(({ replicas }) => jobIndex < replicas)
    .map((one) => jobName(getName(jobSet), one.name, jobIndex));
}
