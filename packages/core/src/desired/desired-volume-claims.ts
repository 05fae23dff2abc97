import {
  type JobSet,
  type ToCreate,
  type Unvalidated,
  type VolumeClaimPolicy,
  volumeClaimName,
} from "@jobset-ts/api";
import { JOBSET_NAME_KEY } from "@jobset-ts/api/keys";
import type {
  PersistentVolumeClaim,
  PersistentVolumeClaimTemplate,
} from "@jobset-ts/api/kubernetes";
import { frozenCopy } from "../frozen-copy.ts";
import { asArray, asRecord, asString, getName, getNamespace, isObject } from "../jobset-members.ts";
import { createOwnerReference } from "../owner.ts";

/**
 * Returns the PersistentVolumeClaims of a JobSet, policy by policy and template by template. From a template it uses
 * the name, labels, annotations and spec, but not the namespace.
 *
 * The JobSet owns a claim, and its deletion deletes the claim, if the retention policy is `Delete` or empty (upstream
 * panics if it is empty). Without a retention policy the claim outlives the JobSet; admission normally sets one.
 */
export function desiredVolumeClaims(
  jobSet: Unvalidated<JobSet>,
): ToCreate<PersistentVolumeClaim>[] {
  return desiredVolumeClaimsByPolicy(jobSet).flat();
}

/** Returns the same PersistentVolumeClaims, as one list for each policy. */
export function desiredVolumeClaimsByPolicy(
  jobSet: Unvalidated<JobSet>,
): readonly ToCreate<PersistentVolumeClaim>[][] {
  return asArray(jobSet?.spec?.volumeClaimPolicies)
    .filter(isObject)
    .map((policy) =>
      asArray(policy.templates)
        .filter(isObject)
        .map((template) => volumeClaim(jobSet, policy, template)),
    );
}

function volumeClaim(
  jobSet: Unvalidated<JobSet>,
  policy: Unvalidated<VolumeClaimPolicy>,
  template: Unvalidated<PersistentVolumeClaimTemplate>,
): ToCreate<PersistentVolumeClaim> {
  const jobSetName = getName(jobSet);
  const annotations = asRecord(template.metadata?.annotations);
  return {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: {
      name: volumeClaimName(asString(template.metadata?.name), jobSetName),
      namespace: getNamespace(jobSet),
      labels: { ...asRecord(template.metadata?.labels), [JOBSET_NAME_KEY]: jobSetName },
      ...(Object.keys(annotations).length > 0 && { annotations: { ...annotations } }),
      ...(isDeletedWithJobSet(policy) && { ownerReferences: [createOwnerReference(jobSet)] }),
    },
    spec: frozenCopy(asRecord(template.spec)),
  };
}

function isDeletedWithJobSet({ retentionPolicy }: Unvalidated<VolumeClaimPolicy>): boolean {
  return isObject(retentionPolicy) && (retentionPolicy.whenDeleted ?? "Delete") === "Delete";
}
