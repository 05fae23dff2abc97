import type { JobSet, Observed } from "@jobset-ts/api";
import { JOBSET_API_VERSION, JOBSET_KIND } from "@jobset-ts/api/keys";
import {
  controllerOf,
  type Job,
  type KubernetesObject,
  type OwnerReference,
} from "@jobset-ts/api/kubernetes";
import { nameOf, namespaceOf, textOf, uidOf } from "./jobset-members.ts";

/** The one owner reference of everything that a JobSet's controller creates. */
export function ownerReferenceTo(jobSet: Observed<JobSet>): OwnerReference {
  return {
    apiVersion: JOBSET_API_VERSION,
    kind: JOBSET_KIND,
    name: nameOf(jobSet),
    uid: uidOf(jobSet),
    controller: true,
    blockOwnerDeletion: true,
  };
}

/**
 * The UID of the JobSet that controls an object, never empty; `undefined` when another kind of object does, or
 * none. Labels and the owner's name play no part.
 */
export function controllingJobSetUid(object: Observed<KubernetesObject>): string | undefined {
  const owner = controllerOf(object);
  return owner?.apiVersion === JOBSET_API_VERSION && owner.kind === JOBSET_KIND
    ? textOf(owner.uid) || undefined
    : undefined;
}

/**
 * Whether a Job is a child of a JobSet: in its namespace, and controlled by a JobSet of its UID. A JobSet without
 * a UID, which no server has seen yet, has no children.
 */
export function isChildJob(job: Observed<Job>, jobSet: Observed<JobSet>): boolean {
  return controllingJobSetUid(job) === uidOf(jobSet) && namespaceOf(job) === namespaceOf(jobSet);
}
