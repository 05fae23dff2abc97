import { type JobSet, type New, type Observed, subdomainOf } from "@jobset-ts/api";
import { JOBSET_NAME_KEY } from "@jobset-ts/api/keys";
import type { Service } from "@jobset-ts/api/kubernetes";
import { nameOf, namespaceOf } from "../jobset-members.ts";
import { ownerReferenceTo } from "../owner.ts";

/** Whether a JobSet's Pods get DNS host names; absent means no, since admission normally sets it. */
export function hasDnsHostnames(jobSet: Observed<JobSet>): boolean {
  return jobSet?.spec?.network?.enableDNSHostnames === true;
}

/**
 * The headless Service in which a JobSet's Pods have their DNS names. One a JobSet; without labels or ports.
 *
 * @returns `undefined` for a JobSet without DNS host names
 */
export function desiredService(jobSet: Observed<JobSet>): New<Service> | undefined {
  if (!hasDnsHostnames(jobSet)) return undefined;
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: {
      name: subdomainOf(jobSet),
      namespace: namespaceOf(jobSet),
      ownerReferences: [ownerReferenceTo(jobSet)],
    },
    spec: {
      clusterIP: "None",
      selector: { [JOBSET_NAME_KEY]: nameOf(jobSet) },
      // The API has no way to say false but to leave the member out.
      ...(jobSet?.spec?.network?.publishNotReadyAddresses !== false && {
        publishNotReadyAddresses: true,
      }),
    },
  };
}
