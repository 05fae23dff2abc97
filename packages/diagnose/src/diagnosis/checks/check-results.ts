import { parseTime, type Unvalidated } from "@jobset-ts/api";
import { JOBSET_API_VERSION } from "@jobset-ts/api/keys";
import {
  asString,
  getName,
  getNamespace,
  type KubernetesObject,
  type Pod,
} from "@jobset-ts/api/kubernetes";
import type { Check, CheckFailure, CheckResult, Evidence } from "@jobset-ts/checks";
import { type ObjectKey, SNAPSHOT_KINDS } from "@jobset-ts/core";
import type { EventFacts } from "../view/events.ts";
import type { FindingId } from "./finding-ids.ts";

/** A check of a JobSet or of one of its parts. */
export type DiagnosisCheck<View> = Check<View, FindingId>;

/** The result of a check that found no problem. */
export const pass: CheckResult = { outcome: "Pass" };

/**
 * The objects with a problem and the evidence for it. Optional: since when, the status (default: `Stuck`), advice for
 * this case, and a text that findings with one cause share.
 */
export interface Observation extends Pick<CheckFailure, "since" | "status" | "group" | "advice"> {
  readonly objects: readonly ObjectKey[];
  readonly evidence: readonly Evidence[];
}

/** Returns a failure that ends only if something changes. */
export function fail(message: string, observation: Observation): CheckResult {
  return { outcome: "Fail", message, transient: false, ...observation };
}

/** Returns a failure that may resolve itself. */
export function failTransiently(message: string, observation: Observation): CheckResult {
  return { outcome: "Fail", message, transient: true, ...observation };
}

/** Returns a failure that a user has chosen, or that ends when other objects change as expected. */
export function failWaiting(message: string, observation: Observation): CheckResult {
  return { outcome: "Fail", message, transient: true, status: "Waiting", ...observation };
}

/** Returns the start of an observation as RFC 3339 text, if the time is known. */
export function sinceTime(time: unknown): Pick<Observation, "since"> {
  const since = parseTime(time as string | undefined);
  return since === undefined ? {} : { since };
}

/** Returns the unknown result, because objects of these kinds were not read. */
export function unknown(...missing: readonly string[]): CheckResult {
  return { outcome: "Unknown", message: `${missing.join(" and ")} were not read`, missing };
}

/** Returns the key of an object of a snapshot kind. */
export function createObjectKey(kind: string, namespace: string, name: string): ObjectKey {
  const apiVersion = SNAPSHOT_KINDS.get(kind)?.apiVersion ?? JOBSET_API_VERSION;
  return { apiVersion, kind, namespace, name };
}

/** Returns the key of an object. */
export function getObjectKey(kind: string, object: Unvalidated<KubernetesObject>): ObjectKey {
  return createObjectKey(kind, getNamespace(object), getName(object));
}

/** Returns the key of an object of any kind, with its own API version. */
export function createKey(kind: string, object: Unvalidated<KubernetesObject>): ObjectKey {
  const apiVersion = asString(object.apiVersion);
  return { apiVersion, kind, namespace: getNamespace(object), name: getName(object) };
}

/** Returns the key of a JobSet. */
export function jobSetKey({
  namespace,
  name,
}: {
  readonly namespace: string;
  readonly name: string;
}): ObjectKey {
  return createObjectKey("JobSet", namespace, name);
}

/** Returns the key of the Pod of a view. */
export function podKey({ pod }: { readonly pod: { readonly pod: Unvalidated<Pod> } }): ObjectKey {
  return getObjectKey("Pod", pod.pod);
}

/** Returns evidence from a field of an object. */
export function fieldEvidence(object: ObjectKey, at: string, text: string): Evidence {
  return { kind: "Field", object, at, text };
}

/** Returns evidence from a condition of an object. */
export function conditionEvidence(object: ObjectKey, at: string, text: string): Evidence {
  return { kind: "Condition", object, at, text };
}

/** Returns evidence that an object or a field is absent. */
export function absenceEvidence(object: ObjectKey, text: string, at?: string): Evidence {
  return { kind: "Absence", object, ...(at !== undefined && { at }), text };
}

/** Returns evidence from an Event about an object. */
export function eventEvidence(object: ObjectKey, { reason, message }: EventFacts): Evidence {
  return { kind: "Event", object, at: reason, text: message };
}
