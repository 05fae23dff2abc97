import type { JobSetSpec, ReplicatedJob } from "@jobset-ts/api";
import { type AJobSet, aJobSet } from "../builders/a-jobset.ts";
import { createClaimingJobSet } from "./claim-rules.ts";
import { replicatedJob } from "./rule-samples.ts";

// biome-ignore lint/suspicious/noExplicitAny: an edit may set a value of another type
export type AnyObject = any;

/** A JobSet with every policy. */
export const train: AJobSet = aJobSet("train").withSpec({
  startupPolicy: { startupPolicyOrder: "AnyOrder" },
  failurePolicy: { maxRestarts: 3, rules: [{ name: "rule0", action: "FailJobSet" }] },
  volumeClaimPolicies: createClaimingJobSet({
    policy: { retentionPolicy: { whenDeleted: "Retain" } },
  }).spec.volumeClaimPolicies,
  replicatedJobs: [
    replicatedJob(
      "driver",
      {},
      { template: createClaimingJobSet().spec.replicatedJobs?.[0]?.template },
    ),
    replicatedJob("workers", { parallelism: 2, completions: 2 }, { replicas: 2 }),
    replicatedJob("evaluators"),
  ],
});
export const suspended = train.suspended();

export const spec = (jobSet: AJobSet, members: AnyObject): AJobSet =>
  jobSet.withSpec(members as JobSetSpec);

export const jobNames = ["driver", "workers", "evaluators"] as const;
export type JobName = (typeof jobNames)[number];

/** Replaces the ReplicatedJob with this name. */
function withJob(jobSet: AJobSet, name: JobName, change: (job: AnyObject) => AnyObject): AJobSet {
  const { replicatedJobs = [] } = jobSet.spec;
  return spec(jobSet, {
    replicatedJobs: replicatedJobs.map((one) => (one.name === name ? change(one) : one)),
  });
}

/** Replaces the ReplicatedJob `workers`. */
export function withWorkers(jobSet: AJobSet, change: (job: AnyObject) => AnyObject): AJobSet {
  return withJob(jobSet, "workers", change);
}

/** Replaces fields of the Pod template of a ReplicatedJob, and of its Pod spec. */
export function withPodTemplate(
  jobSet: AJobSet,
  metadata: AnyObject,
  podSpec: AnyObject = {},
  name: JobName = "workers",
): AJobSet {
  return withJob(jobSet, name, (one) => {
    const { template: job } = one;
    const { template: pod } = job.spec;
    const template = { ...pod, metadata, spec: { ...pod.spec, ...podSpec } };
    return { ...one, template: { ...job, spec: { ...job.spec, template } } };
  });
}

/** Replaces fields of the Job spec of a ReplicatedJob. */
export function withJobSpec(
  jobSet: AJobSet,
  members: AnyObject,
  name: JobName = "workers",
): AJobSet {
  return withJob(jobSet, name, (one) => ({
    ...one,
    template: { ...one.template, spec: { ...one.template.spec, ...members } },
  }));
}

/** Scales all ReplicatedJobs, or those that the predicate selects. */
export const scaleJobs = (
  jobSet: AJobSet,
  size: number,
  isScaled: (at: number) => boolean = () => true,
) => {
  const jobs: ReplicatedJob[] = (jobSet.spec.replicatedJobs ?? []).map((one, at) => {
    const sizes = isScaled(at) ? { parallelism: size, completions: size } : {};
    return { ...one, template: { ...one.template, spec: { ...one.template.spec, ...sizes } } };
  });
  return spec(jobSet, { replicatedJobs: jobs });
};

/** Replaces the metadata of the workers' Jobs. */
export function withJobMetadata(jobSet: AJobSet, metadata: AnyObject): AJobSet {
  return withWorkers(jobSet, (one) => ({ ...one, template: { ...one.template, metadata } }));
}

/**
 * The fields of Pod templates that are mutable in a suspended JobSet. A queue changes them when it admits the
 * workload.
 */
const directives: readonly (readonly [string, metadata: AnyObject, podSpec?: AnyObject])[] = [
  ["node selector", undefined, { nodeSelector: { pool: "a" } }],
  ["tolerations", undefined, { tolerations: [{ key: "a", operator: "Exists" }] }],
  ["scheduling gates", undefined, { schedulingGates: [{ name: "a.io/b" }] }],
  ["labels", { labels: { a: "1" } }],
  ["annotations", { annotations: { a: "1" } }],
];

/** The same edits for each ReplicatedJob. */
export const directiveEdits: readonly (readonly [string, (jobSet: AJobSet) => AJobSet])[] =
  directives.flatMap(([what, metadata, podSpec]) =>
    jobNames.map(
      (name) =>
        [
          `the ${what} of the Pods of ${name}`,
          (one: AJobSet) => withPodTemplate(one, metadata, podSpec, name),
        ] as const,
    ),
  );

export const resumeJobSet = (jobSet: AJobSet) => spec(jobSet, { suspend: false });
