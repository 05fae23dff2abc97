// A second implementation of some parts of a pass, slow and simple, for comparison. It shares only types with the
// production code.
import type { JobSet } from "@jobset-ts/api";
import type { Job, KubernetesObject } from "@jobset-ts/api/kubernetes";

/**
 * How a child Job counts. `unclaimed` means that it has not finished and that the spec does not contain it. `error`
 * means that its labels are invalid.
 */
export type Bucket =
  | "active"
  | "successful"
  | "failed"
  | "previous"
  | "unclaimed"
  | "unclaimedEnded"
  | "error";

const key = (name: string) => `jobset.sigs.k8s.io/${name}`;

/** The JobSet's Jobs among the objects, by name. */
export function referenceChildren(jobSet: JobSet, objects: readonly KubernetesObject[]): Job[] {
  return objects
    .filter(({ kind }) => kind === "Job")
    .filter(({ metadata }) =>
      metadata.ownerReferences?.some(
        (owner) =>
          owner.controller === true &&
          owner.apiVersion === "jobset.x-k8s.io/v1alpha2" &&
          owner.kind === "JobSet" &&
          owner.uid === jobSet.metadata.uid,
      ),
    )
    .sort((one, other) =>
      (one.metadata.name ?? "") < (other.metadata.name ?? "") ? -1 : 1,
    ) as Job[];
}

/** The number in a label, if it is one. */
function parseNumber(job: Job, name: string): number | undefined {
  const text = job.metadata.labels?.[key(name)];
  return text !== undefined && /^[+-]?\d+$/.test(text) ? Number.parseInt(text, 10) : undefined;
}

/** The condition that shows that a Job has finished. */
export function referenceEnd({ status }: Job) {
  return (status?.conditions ?? []).find(
    ({ type, status }) => status === "True" && ["Complete", "Failed"].includes(type),
  );
}

/** How a child Job counts. */
export function referenceBucket(jobSet: JobSet, job: Job, restartJob: boolean): Bucket {
  const attempt = parseNumber(job, "restart-attempt");
  if (attempt === undefined) return "error";
  if (attempt < (jobSet.status?.restarts ?? 0)) return "previous";
  const isAskedFor = (jobSet.spec.replicatedJobs ?? []).some(({ name, replicas = 1 }) =>
    Array.from(
      { length: replicas },
      (_, index) => `${jobSet.metadata.name}-${name}-${index}`,
    ).includes(job.metadata.name ?? ""),
  );
  const end = referenceEnd(job);
  if (!isAskedFor) return end === undefined ? "unclaimed" : "unclaimedEnded";
  if (restartJob) {
    const name = job.metadata.labels?.[key("replicatedjob-name")];
    const index = parseNumber(job, "job-index");
    if (name === undefined || index === undefined) return "error";
    if (job.metadata.labels?.[key("job-restart-attempt")] !== undefined) {
      const own = parseNumber(job, "job-restart-attempt");
      const replicated = jobSet.spec.replicatedJobs?.find((one) => one.name === name);
      const entries = jobSet.status?.replicatedJobsStatus ?? [];
      const stored = entries.find((one) => one.name === name)?.jobRestarts ?? [];
      const targets = [...stored];
      while (targets.length < (replicated === undefined ? 0 : (replicated.replicas ?? 1))) {
        targets.push(0);
      }
      const target = targets[index];
      if (own === undefined || target === undefined) return "error";
      if (own < target) return "previous";
    }
  }
  if (end === undefined) return "active";
  return end.type === "Complete" ? "successful" : "failed";
}

/** The five counters of one ReplicatedJob. */
export interface Counters {
  readonly name: string;
  readonly ready: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly active: number;
  readonly suspended: number;
}

/** The counters that a status must have, in spec order. */
export function referenceCounters(
  jobSet: JobSet,
  jobs: readonly Job[],
  restartJob: boolean,
): readonly Counters[] {
  return (jobSet.spec.replicatedJobs ?? []).map(({ name }) => {
    const own = jobs.filter((job) => job.metadata.labels?.[key("replicatedjob-name")] === name);
    const inBucket = (bucket: Bucket) =>
      own.filter((job) => referenceBucket(jobSet, job, restartJob) === bucket);
    const active = inBucket("active");
    return {
      name,
      ready: active.filter(({ spec, status }) => {
        const { parallelism = 1, completions = parallelism } = spec;
        const up = (status?.ready ?? 0) + (status?.succeeded ?? 0);
        return up >= parallelism || up >= completions;
      }).length,
      succeeded: inBucket("successful").length,
      failed: inBucket("failed").length,
      active: active.filter(({ status }) => (status?.active ?? 0) > 0).length,
      suspended: active.filter(({ spec }) => spec.suspend === true).length,
    };
  });
}

/** Returns the counters that dependencies use: a suspended Job is not ready. */
export function referenceCountersAtGates(
  jobSet: JobSet,
  jobs: readonly Job[],
  restartJob: boolean,
): readonly Counters[] {
  const counted = jobs.filter(
    (job) => referenceBucket(jobSet, job, restartJob) !== "active" || !job.spec.suspend,
  );
  return referenceCounters(jobSet, counted, restartJob);
}

/** The names of the ReplicatedJobs whose dependencies are satisfied. */
export function referenceFree(jobSet: JobSet, counters: readonly Counters[]): readonly string[] {
  const all = jobSet.spec.replicatedJobs ?? [];
  return all
    .filter(({ dependsOn = [] }, position) =>
      dependsOn.every(({ name, status }) => {
        const counted = counters.find((one) => one.name === name);
        if (counted === undefined) return false;
        const before = all.slice(0, position + 1).find((one) => one.name === name);
        const replicas = before === undefined ? 0 : (before.replicas ?? 1);
        const reached =
          status === "Complete"
            ? counted.succeeded
            : counted.ready + counted.succeeded + counted.failed;
        return reached === replicas;
      }),
    )
    .map(({ name }) => name);
}
