import type { Job, JobSet, KubernetesObject, Observed } from "@jobset-ts/api";
import type { MemberChange } from "../member-changes.ts";
import type {
  CreateEffect,
  DeleteEffect,
  ObjectKey,
  PatchEffect,
  UpdateEffect,
  UpdateStatusEffect,
} from "../plan.ts";
import { textOf } from "../reading.ts";
import { toWire } from "../wire-form.ts";

/** How many requests of one step may be under way at once. */
export const MAX_CONCURRENT_EFFECTS = 50;

/** What names a Job. */
export function jobTarget(job: Observed<Job>): ObjectKey {
  return target("batch/v1", "Job", job);
}

/** What names a JobSet. */
export function jobSetTarget(jobSet: Observed<JobSet>): ObjectKey {
  return target("jobset.x-k8s.io/v1alpha2", "JobSet", jobSet);
}

function target(apiVersion: string, kind: string, object: Observed<KubernetesObject>): ObjectKey {
  const { namespace, name } = object.metadata ?? {};
  return { apiVersion, kind, namespace: textOf(namespace), name: textOf(name) };
}

export function createEffect(object: KubernetesObject): CreateEffect {
  return {
    verb: "create",
    target: target(object.apiVersion, object.kind, object),
    object,
    whenExists: "Fail",
  };
}

/** Deletes an object and, in the foreground, everything it owns first. */
export function deleteEffect(
  key: ObjectKey,
  object: Observed<KubernetesObject>,
  whenGone: DeleteEffect["whenGone"],
): DeleteEffect {
  const uid = object.metadata?.uid;
  return {
    verb: "delete",
    target: key,
    propagationPolicy: "Foreground",
    whenGone,
    ...(typeof uid === "string" && uid !== "" && { uid }),
  };
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

export function patchEffect(
  job: Observed<Job>,
  patch: Readonly<Record<string, unknown>>,
): PatchEffect {
  return { verb: "patch", target: jobTarget(job), patch };
}

/** A Job to send: in wire form, and with the kind that items of a list lack. */
function wireJob(job: Observed<Job>): Observed<Job> {
  return toWire({ ...job, apiVersion: "batch/v1", kind: "Job" });
}
