import type { Unvalidated } from "@jobset-ts/api";
import { JOBSET_API_VERSION } from "@jobset-ts/api/keys";
import { getName, getNamespace, type KubernetesObject, type Pod } from "@jobset-ts/api/kubernetes";
import type { Check, CheckResult, Evidence } from "@jobset-ts/checks";
import { type ObjectKey, SNAPSHOT_KINDS } from "@jobset-ts/core";
import type { EventFacts } from "../view/events.ts";
import type { FindingId } from "./finding-ids.ts";

/** A question about a JobSet, or about one of its parts. */
export type DiagnosisCheck<View> = Check<View, FindingId>;

/** The answer that nothing is wrong. */
export const pass: CheckResult = { outcome: "Pass" };

/** What was seen, as the objects at which it lies and what shows it. */
export interface Observation {
  readonly objects: readonly ObjectKey[];
  readonly evidence: readonly Evidence[];
}

/** The answer that a check fails, and that nothing but a change ends it. */
export function fail(message: string, { objects, evidence }: Observation): CheckResult {
  return { outcome: "Fail", message, transient: false, objects, evidence };
}

/** The answer that a check fails, and that waiting may end it. */
export function failTransiently(message: string, { objects, evidence }: Observation): CheckResult {
  return { outcome: "Fail", message, transient: true, objects, evidence };
}

/** Returns the unknown result, because objects of these kinds were not read. */
export function unknown(...missing: readonly string[]): CheckResult {
  return { outcome: "Unknown", message: `${missing.join(" and ")} were not read`, missing };
}

/** Points at an object of a kind that a snapshot has. */
export function createObjectKey(kind: string, namespace: string, name: string): ObjectKey {
  const apiVersion = SNAPSHOT_KINDS.get(kind)?.apiVersion ?? JOBSET_API_VERSION;
  return { apiVersion, kind, namespace, name };
}

/** Points at an object. */
export function getObjectKey(kind: string, object: Unvalidated<KubernetesObject>): ObjectKey {
  return createObjectKey(kind, getNamespace(object), getName(object));
}

/** Points at a JobSet. */
export function jobSetKey({
  namespace,
  name,
}: {
  readonly namespace: string;
  readonly name: string;
}): ObjectKey {
  return createObjectKey("JobSet", namespace, name);
}

/** Points at the Pod that a view is of. */
export function podKey({ pod }: { readonly pod: { readonly pod: Unvalidated<Pod> } }): ObjectKey {
  return getObjectKey("Pod", pod.pod);
}

/** That a member of an object says something. */
export function fieldEvidence(object: ObjectKey, at: string, text: string): Evidence {
  return { kind: "Field", object, at, text };
}

/** That a condition of an object says something. */
export function conditionEvidence(object: ObjectKey, at: string, text: string): Evidence {
  return { kind: "Condition", object, at, text };
}

/** That an object, or a member of it, is not there. */
export function absenceEvidence(object: ObjectKey, text: string, at?: string): Evidence {
  return { kind: "Absence", object, ...(at !== undefined && { at }), text };
}

/** What an Event about an object says. */
export function eventEvidence(object: ObjectKey, { reason, message }: EventFacts): Evidence {
  return { kind: "Event", object, at: reason, text: message };
}
