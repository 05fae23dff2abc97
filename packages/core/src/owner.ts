import type { JobSet, Unvalidated } from "@jobset-ts/api";
import { JOBSET_API_VERSION, JOBSET_KIND } from "@jobset-ts/api/keys";
import {
  getControllerOf,
  type Job,
  type KubernetesObject,
  type OwnerReference,
} from "@jobset-ts/api/kubernetes";
import { asString, getName, getNamespace, getUid } from "./jobset-members.ts";

/** Returns the owner reference of every object that the JobSet controller creates. */
export function createOwnerReference(jobSet: Unvalidated<JobSet>): OwnerReference {
  return {
    apiVersion: JOBSET_API_VERSION,
    kind: JOBSET_KIND,
    name: getName(jobSet),
    uid: getUid(jobSet),
    controller: true,
    blockOwnerDeletion: true,
  };
}

/**
 * Returns the UID of the JobSet that controls an object, never empty; `undefined` if an object of another kind
 * controls it, or none. Labels and the owner's name do not matter.
 */
export function controllingJobSetUid(object: Unvalidated<KubernetesObject>): string | undefined {
  return asString(getControllingJobSet(object)?.uid) || undefined;
}

/** Returns the name of the JobSet that controls an object, whatever its UID; `undefined` if none does. */
export function controllingJobSetName(object: Unvalidated<KubernetesObject>): string | undefined {
  const owner = getControllingJobSet(object);
  return owner && asString(owner.name);
}

function getControllingJobSet(
  object: Unvalidated<KubernetesObject>,
): Unvalidated<OwnerReference> | undefined {
  const owner = getControllerOf(object);
  return owner?.apiVersion === JOBSET_API_VERSION && owner.kind === JOBSET_KIND ? owner : undefined;
}

/**
 * Reports whether a Job is a child of a JobSet: in its namespace, and controlled by the JobSet with this UID. A
 * JobSet without a UID is not stored yet, so it has no children.
 */
export function isChildJob(job: Unvalidated<Job>, jobSet: Unvalidated<JobSet>): boolean {
  return controllingJobSetUid(job) === getUid(jobSet) && getNamespace(job) === getNamespace(jobSet);
}
