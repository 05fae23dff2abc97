// Rows of rules of JobSet's validation, and JobSets for their samples.
import type { JobSetRuleId } from "@jobset-ts/admission";
import type { JobSet, JobSetSpec, ReplicatedJob } from "@jobset-ts/api";
import type { KubernetesObject } from "@jobset-ts/api/kubernetes";
import { type AJobSet, aJobSet, aReplicatedJob } from "../builders/a-jobset.ts";

/** A validation rule with JobSets that barely satisfy it, and JobSets that violate only this rule. */
export interface RuleRow {
  /** The rule's name in jobset-ts, for its own tests. No law uses it. */
  readonly rule: JobSetRuleId;
  /** The requirement, as a sentence. */
  readonly says: string;
  readonly kept: readonly RuleSample[];
  readonly broken: readonly RuleSample[];
}

/** A JobSet and the other objects in the cluster. */
export interface RuleSample {
  readonly jobSet: JobSet;
  readonly cluster?: readonly KubernetesObject[];
}

// biome-ignore lint/suspicious/noExplicitAny: an invalid value may have another type
export type AnyObject = any;

/** Returns a ReplicatedJob with some fields replaced, also in its Job spec. */
export function replicatedJob(
  name: string,
  jobSpec: AnyObject = {},
  rest: AnyObject = {},
): ReplicatedJob {
  const { template } = aReplicatedJob(name);
  return aReplicatedJob(name, { template: { spec: { ...template.spec, ...jobSpec } }, ...rest });
}

export function createJobSet(jobs: ReplicatedJob[], spec: AnyObject = {}, name = "train"): AJobSet {
  return aJobSet(name).withSpec({ replicatedJobs: jobs, ...(spec as JobSetSpec) });
}

export const samples = (...jobSets: readonly JobSet[]): readonly RuleSample[] =>
  jobSets.map((jobSet) => ({ jobSet }));

/** Returns a JobSet with a driver and workers. */
export function train(spec: AnyObject = {}): AJobSet {
  return createJobSet(
    [replicatedJob("driver"), replicatedJob("workers", {}, { replicas: 2 })],
    spec,
  );
}

/** Returns a JobSet with the single ReplicatedJob `w`. */
export function jobSetWithOne(
  name: string,
  jobSpec: AnyObject = {},
  rest: AnyObject = {},
): AJobSet {
  return createJobSet([replicatedJob("w", jobSpec, rest)], {}, name);
}

export const nonIndexed = { completionMode: "NonIndexed", completions: undefined };
export const letters = (count: number) => "a".repeat(count);

/** Returns lists with an element at the start, in the middle and at the end. */
export function insertAtEachIndex<Element>(
  element: Element,
  others: readonly Element[],
): Element[][] {
  return Array.from({ length: others.length + 1 }, (_, place) => [
    ...others.slice(0, place),
    element,
    ...others.slice(place),
  ]);
}

/**
 * Returns JobSets with a ReplicatedJob at the start, in the middle and at the end of others, which satisfy most rules.
 */
export function withOthers(
  job: ReplicatedJob,
  {
    spec = {},
    name = "train",
    others = nonIndexed,
  }: { spec?: AnyObject; name?: string; others?: AnyObject } = {},
): readonly AJobSet[] {
  const lists = insertAtEachIndex(job, [replicatedJob("x", others), replicatedJob("y", others)]);
  return lists.map((jobs) => createJobSet(jobs, spec, name));
}
