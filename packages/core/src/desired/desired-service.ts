import { getSubdomain, type JobSet, type ToCreate, type Unvalidated } from "@jobset-ts/api";
import { JOBSET_NAME_KEY } from "@jobset-ts/api/keys";
import type { Service } from "@jobset-ts/api/kubernetes";
import { getName, getNamespace } from "../jobset-members.ts";
import { createOwnerReference } from "../owner.ts";

/** Reports whether a JobSet's Pods get DNS hostnames. Absent means no, because admission normally sets the field. */
export function hasDnsHostnames(jobSet: Unvalidated<JobSet>): boolean {
  return jobSet?.spec?.network?.enableDNSHostnames === true;
}

/**
 * Returns the headless Service of a JobSet, which gives its Pods their DNS names: one per JobSet, without labels or
 * ports.
 *
 * @returns `undefined` for a JobSet without DNS hostnames
 */
export function desiredService(jobSet: Unvalidated<JobSet>): ToCreate<Service> | undefined {
  if (!hasDnsHostnames(jobSet)) return undefined;
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: {
      name: getSubdomain(jobSet),
      namespace: getNamespace(jobSet),
      ownerReferences: [createOwnerReference(jobSet)],
    },
    spec: {
      clusterIP: "None",
      selector: { [JOBSET_NAME_KEY]: getName(jobSet) },
      // The API server stores false only as an absent field.
      ...(jobSet?.spec?.network?.publishNotReadyAddresses !== false && {
        publishNotReadyAddresses: true,
      }),
    },
  };
}
