// How the members of a JobSet and of a Job are read when they are absent or, in an object that no server
// has checked, of the wrong type: the same as absent.
import {
  isObject,
  type Job,
  type JobSet,
  type KubernetesObject,
  listOf,
  type Observed,
  type ReplicatedJob,
  textOf,
} from "@jobset-ts/api";

export { isObject, listOf, membersOf, textOf } from "@jobset-ts/api";

/** A whole number; anything else is `otherwise`. */
export function integerOf(value: number | undefined, otherwise: number): number {
  return Number.isSafeInteger(value) ? (value as number) : otherwise;
}

/** An object's `metadata.name`; empty when absent. */
export function nameOf(object: Observed<KubernetesObject>): string {
  return textOf(object?.metadata?.name);
}

/** An object's `metadata.namespace`; empty when absent, as for what lives in no namespace. */
export function namespaceOf(object: Observed<KubernetesObject>): string {
  return textOf(object?.metadata?.namespace);
}

/** An object's `metadata.uid`; empty when absent, as before the server has seen it. */
export function uidOf(object: Observed<KubernetesObject>): string {
  return textOf(object?.metadata?.uid);
}

/** A label's value; absent and not text are `undefined`. */
export function labelOf(
  object: { readonly metadata?: { readonly labels?: Readonly<Record<string, string>> } },
  key: string,
): string | undefined {
  return textMember(object?.metadata?.labels, key);
}

/** An annotation's value; absent and not text are `undefined`. */
export function annotationOf(
  object: { readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> } },
  key: string,
): string | undefined {
  return textMember(object?.metadata?.annotations, key);
}

function textMember(
  members: Readonly<Record<string, string>> | undefined,
  key: string,
): string | undefined {
  if (!isObject(members) || !Object.hasOwn(members, key)) return undefined;
  const value = members[key];
  return typeof value === "string" ? value : undefined;
}

/** `spec.replicatedJobs`, without elements that are no objects. */
export function replicatedJobsOf(jobSet: Observed<JobSet>): readonly Observed<ReplicatedJob>[] {
  return listOf(jobSet?.spec?.replicatedJobs).filter(isObject);
}

/** How many Jobs a ReplicatedJob has: 1 when absent, as the CRD defaults it; an explicit 0 stays 0. */
export function replicasOf(replicatedJob: Observed<ReplicatedJob>): number {
  return integerOf(replicatedJob.replicas, 1);
}

/** Whether the Jobs are to be suspended; absent means no. */
export function isSuspended(object: Observed<JobSet> | Observed<Job>): boolean {
  return object?.spec?.suspend === true;
}

/** The current restart attempt: `status.restarts`, 0 when absent. */
export function restartsOf(jobSet: Observed<JobSet>): number {
  return integerOf(jobSet?.status?.restarts, 0);
}
