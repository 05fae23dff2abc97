// Compile-time tests: values that are assignable to an unvalidated JobSet, and values that are not.
import type { Condition } from "./condition.ts";
import type { JobSet } from "./jobset.ts";
import type { ObjectMeta } from "./object-meta.ts";
import type { Open, Unvalidated } from "./unvalidated.ts";

const replicatedJob = {
  name: "workers",
  replicas: 2,
  template: { spec: { template: { spec: { containers: [{ name: "main", image: "trainer" }] } } } },
};

/** A minimal JobSet. */
export const jobSet: JobSet = {
  apiVersion: "jobset.x-k8s.io/v1alpha2",
  kind: "JobSet",
  metadata: { name: "train" },
  spec: { replicatedJobs: [replicatedJob] },
};

export const observed: Unvalidated<JobSet> = jobSet;
export const frozen: Unvalidated<JobSet> = Object.freeze(jobSet);
export const emptyJobSet: Unvalidated<JobSet> = {};
export const jobSetWithUnknownFields: Unvalidated<JobSet> = {
  spec: { failurePolicy: { restartStrategy: "RestartTomorrow" } },
};
export const clientJobSet: Unvalidated<JobSet> = {
  metadata: { creationTimestamp: new Date(0) },
  status: { conditions: [{ type: "Completed", lastTransitionTime: new Date(0) }] },
};

export const typo: JobSet = {
  ...jobSet,
  // @ts-expect-error: the member is called replicatedJobs
  spec: { replicatedJob: [replicatedJob] },
};
export const typoInside: JobSet = {
  ...jobSet,
  // @ts-expect-error: the member is called maxRestarts
  spec: { failurePolicy: { maxRestart: 3 } },
};
export const observedTypo: Unvalidated<JobSet> = {
  // @ts-expect-error: the member is called suspend
  spec: { suspended: true },
};
export const unknownValue: JobSet = {
  ...jobSet,
  // @ts-expect-error: we write no operator that we do not know
  spec: { successPolicy: { operator: "Some" } },
};
// @ts-expect-error: a Date where the wire has text
export const dateOnTheWire: ObjectMeta = { creationTimestamp: new Date(0) };
// @ts-expect-error: a name is not a time
export const metadataWithDateAsName: Unvalidated<ObjectMeta> = { name: new Date(0) };

export function readOnly(seen: Unvalidated<JobSet>, open: Unvalidated<Open>): void {
  // @ts-expect-error: what was observed is not changed
  seen.spec = {};
  // @ts-expect-error: nor is anything inside
  seen.spec?.replicatedJobs?.push(replicatedJob);
  // @ts-expect-error: nor a member that we do not know
  open.anything = 5;
}

/** Enumerations become text in unvalidated objects, and maps keep the type of their values. */
export const getStatus = (condition: Unvalidated<Condition>): string | undefined =>
  condition.status;
export const createLabel = (meta: Unvalidated<ObjectMeta>): string | undefined => meta.labels?.app;
