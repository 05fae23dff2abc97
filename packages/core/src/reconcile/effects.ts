import type { JobSet, Observed } from "@jobset-ts/api";
import type { Job, KubernetesObject, Pod } from "@jobset-ts/api/kubernetes";
import { nameOf, namespaceOf, uidOf } from "../jobset-members.ts";
import type { MemberChange } from "../member-changes.ts";
import type {
  CreateEffect,
  DeleteEffect,
  ObjectKey,
  PatchEffect,
  UpdateEffect,
  UpdateStatusEffect,
} from "../plan.ts";
import { toWire } from "../wire-form.ts";

/** How many requests of one step may be under way at once. */
export const MAX_CONCURRENT_EFFECTS = 50;

/** What names a Job. */
export function jobTarget(job: Observed<Job>): ObjectKey {
  return target("batch/v1", "Job", job);
}

/** What names a Pod. */
export function podTarget(pod: Observed<Pod>): ObjectKey {
  return target("v1", "Pod", pod);
}

/** What names a JobSet. */
export function jobSetTarget(jobSet: Observed<JobSet>): ObjectKey {
  return target("jobset.x-k8s.io/v1alpha2", "JobSet", jobSet);
}

function target(apiVersion: string, kind: string, object: Observed<KubernetesObject>): ObjectKey {
  return { apiVersion, kind, namespace: namespaceOf(object), name: nameOf(object) };
}

export function createEffect(object: CreateEffect["object"]): CreateEffect {
  return {
    verb: "create",
    target: target(object.apiVersion, object.kind, object),
    object,
    whenExists: "Fail",
  };
}

/** Deletes an object and, in the foreground unless told otherwise, everything it owns first. */
export function deleteEffect(
  key: ObjectKey,
  object: Observed<KubernetesObject>,
  whenGone: DeleteEffect["whenGone"],
  propagationPolicy: DeleteEffect["propagationPolicy"] = "Foreground",
): DeleteEffect {
  const uid = uidOf(object);
  return { verb: "delete", target: key, propagationPolicy, whenGone, ...(uid !== "" && { uid }) };
}

export function updateEffect(job: Observed<Job>, changes: readonly MemberChange[]): UpdateEffect {
  return { verb: "update", target: jobTarget(job), object: wireJob(job), changes };
}

export function updateStatusEffect(
  job: Observed<Job>,
  changes: readonly MemberChange[],
): UpdateStatusEffect {
  return { verb: "updateStatus", target: jobTarget(job), object: wireJob(job), changes };
}

/** The changes of the status of a Pod that holds them already. */
export function updatePodStatusEffect(
  pod: Observed<Pod>,
  changes: readonly MemberChange[],
): UpdateStatusEffect {
  const object = toWire<Pod>({ ...pod, apiVersion: "v1", kind: "Pod" });
  return { verb: "updateStatus", target: podTarget(pod), object, changes };
}

export function patchEffect(
  job: Observed<Job>,
  patch: Readonly<Record<string, unknown>>,
): PatchEffect {
  return { verb: "patch", target: jobTarget(job), patch };
}

/** A Job in wire form, and with the kind that items of a list lack. */
function wireJob(job: Observed<Job>): Job {
  return toWire({ ...job, apiVersion: "batch/v1", kind: "Job" });
}
