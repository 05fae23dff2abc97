import {
  type JobSet,
  type New,
  type Observed,
  type VolumeClaimPolicy,
  volumeClaimName,
} from "@jobset-ts/api";
import { JOBSET_NAME_KEY } from "@jobset-ts/api/keys";
import type {
  PersistentVolumeClaim,
  PersistentVolumeClaimTemplate,
} from "@jobset-ts/api/kubernetes";
import { frozenCopy } from "../frozen-copy.ts";
import { isObject, listOf, membersOf, nameOf, namespaceOf, textOf } from "../jobset-members.ts";
import { ownerReferenceTo } from "../owner.ts";

/**
 * The volume claims of a JobSet, policy by policy and template by template. Of a template only name, labels,
 * annotations and spec are used; its namespace is not.
 *
 * A claim is owned by the JobSet, and so deleted with it, when its policy has a retention policy that says
 * `Delete`, or says nothing: upstream panics then. Without any retention policy it outlives the JobSet; admission
 * normally sets one.
 */
export function desiredVolumeClaims(jobSet: Observed<JobSet>): New<PersistentVolumeClaim>[] {
  return desiredVolumeClaimsByPolicy(jobSet).flat();
}

/** The same, one list a policy. */
export function desiredVolumeClaimsByPolicy(
  jobSet: Observed<JobSet>,
): readonly New<PersistentVolumeClaim>[][] {
  return listOf(jobSet?.spec?.volumeClaimPolicies)
    .filter(isObject)
    .map((policy) =>
      listOf(policy.templates)
        .filter(isObject)
        .map((template) => volumeClaim(jobSet, policy, template)),
    );
}

function volumeClaim(
  jobSet: Observed<JobSet>,
  policy: Observed<VolumeClaimPolicy>,
  template: Observed<PersistentVolumeClaimTemplate>,
): New<PersistentVolumeClaim> {
  const jobSetName = nameOf(jobSet);
  const annotations = membersOf(template.metadata?.annotations);
  return {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: {
      name: volumeClaimName(textOf(template.metadata?.name), jobSetName),
      namespace: namespaceOf(jobSet),
      labels: { ...membersOf(template.metadata?.labels), [JOBSET_NAME_KEY]: jobSetName },
      ...(Object.keys(annotations).length > 0 && { annotations: { ...annotations } }),
      ...(deletedWithJobSet(policy) && { ownerReferences: [ownerReferenceTo(jobSet)] }),
    },
    spec: frozenCopy(membersOf(template.spec)),
  };
}

function deletedWithJobSet({ retentionPolicy }: Observed<VolumeClaimPolicy>): boolean {
  return isObject(retentionPolicy) && (retentionPolicy.whenDeleted ?? "Delete") === "Delete";
}
