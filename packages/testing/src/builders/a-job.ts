import { JOB_CONDITION_COMPLETE, JOB_CONDITION_FAILED } from "@jobset-ts/api/conditions";
import {
  JOB_INDEX_KEY,
  JOBSET_NAME_KEY,
  REPLICATED_JOB_NAME_KEY,
  RESTART_ATTEMPT_KEY,
} from "@jobset-ts/api/keys";
import type { Job, JobCondition, JobSpec, JobStatus } from "@jobset-ts/api/kubernetes";
import { aJobSet } from "./a-jobset.ts";
import { controllerReference, type ObjectBuilder, withBuilderMethods } from "./object-steps.ts";

/** A child Job for tests. */
export type AJob = Job & JobBuilder;

/** Methods that return a changed copy of a Job. */
export interface JobBuilder extends ObjectBuilder<AJob> {
  /** Adds the condition `Failed`. */
  failed(details?: {
    readonly reason?: string;
    readonly message?: string;
    readonly at?: string;
  }): AJob;
  /** Adds the condition `Complete`. */
  completed(): AJob;
  /** Adds a condition. */
  withCondition(condition: JobCondition): AJob;
  /** Replaces fields of the spec. */
  withSpec(spec: Partial<JobSpec>): AJob;
  /** Replaces fields of the status, such as the Pod counts. */
  withStatus(status: Partial<JobStatus>): AJob;
  /** Suspends the Job. */
  suspended(): AJob;
  /** Sets the restart attempt of the JobSet that created the Job. */
  ofAttempt(restartAttempt: number): AJob;
}

/**
 * Creates a running Indexed Job with one Pod, in the first restart attempt of the JobSet that `aJobSet` creates.
 *
 * @param name - `<JobSet>-<ReplicatedJob>-<job index>`, with no dash in the ReplicatedJob's name. The labels have the same
 *   parts.
 * @example aJob("train-workers-3").failed().status?.conditions?.[0]?.type // => "Failed"
 */
export function aJob(name: string): AJob {
  const { jobSet, replicatedJob, index } = parseJobName(name);
  return fluent({
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: {
      name,
      namespace: "default",
      uid: `${name}-uid`,
      labels: {
        [JOBSET_NAME_KEY]: jobSet,
        [REPLICATED_JOB_NAME_KEY]: replicatedJob,
        [JOB_INDEX_KEY]: index,
        [RESTART_ATTEMPT_KEY]: "0",
      },
      ownerReferences: [controllerReference(aJobSet(jobSet))],
    },
    spec: { parallelism: 1, completions: 1, completionMode: "Indexed", template: {} },
  });
}

/**
 * Parses a Job's name.
 *
 * @example parseJobName("train-workers-3") // => { jobSet: "train", replicatedJob: "workers", jobIndex: 3 }
 */
export function parseJobName(name: string): {
  readonly jobSet: string;
  readonly replicatedJob: string;
  readonly index: string;
} {
  const parts = /^(?<jobSet>.+)-(?<replicatedJob>[^-]+)-(?<index>[0-9]+)$/.exec(name)?.groups;
  const { jobSet, replicatedJob, index } = parts ?? {};
  if (jobSet === undefined || replicatedJob === undefined || index === undefined) {
    throw new TypeError(`a Job is named <JobSet>-<ReplicatedJob>-<job index>, not "${name}"`);
  }
  return { jobSet, replicatedJob, index };
}

const fluent: (object: Job) => AJob = withBuilderMethods<Job, AJob>({
  failed({ at = "2026-02-07T06:56:19Z", ...details } = {}) {
    return this.withCondition({
      type: JOB_CONDITION_FAILED,
      status: "True",
      lastTransitionTime: at,
      reason: "BackoffLimitExceeded",
      message: "Job has reached the specified backoff limit",
      ...details,
    });
  },
  completed() {
    return this.withCondition({ type: JOB_CONDITION_COMPLETE, status: "True" });
  },
  withCondition(condition) {
    return this.withStatus({ conditions: [...(this.status?.conditions ?? []), condition] });
  },
  withSpec(spec) {
    return fluent({ ...this, spec: { ...this.spec, ...spec } });
  },
  withStatus(status) {
    return fluent({ ...this, status: { ...this.status, ...status } });
  },
  suspended() {
    return this.withSpec({ suspend: true });
  },
  ofAttempt(restartAttempt) {
    return this.withLabels({ [RESTART_ATTEMPT_KEY]: String(restartAttempt) });
  },
});
