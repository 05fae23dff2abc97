import type { JobSet } from "@jobset-ts/api";
import { JOBSET_NAME_KEY } from "@jobset-ts/api/keys";
import type { KubernetesObject } from "@jobset-ts/api/kubernetes";
import fc from "fast-check";
import { aJobSet } from "../builders/a-jobset.ts";
import { aService } from "../builders/a-service.ts";
import { controllerReference } from "../builders/object-steps.ts";

/**
 * Services with possible names of the JobSet's Service, and the Pods that they select. The JobSet controls those that
 * select its Pods.
 */
interface Services {
  readonly names: readonly string[];
  readonly selected: string;
}

/** Generates Services, most often none or the one of the JobSet. */
export function services(): fc.Arbitrary<Services> {
  const none = { names: [], selected: "train" };
  const own = { names: ["train"], selected: "train" };
  return fc.constantFrom<Services>(
    none,
    none,
    none,
    none,
    own,
    own,
    { names: ["train", "net"], selected: "train" },
    { names: ["train", "net"], selected: "other" },
  );
}

/** Returns the generated Services of the JobSet. */
export function listServices(
  { names, selected }: Services,
  namespace = "default",
): readonly KubernetesObject[] {
  const selector = { [JOBSET_NAME_KEY]: selected };
  const isOwn = selected === "train" && namespace === "default";
  return names.map((name) => {
    const service = aService(name).inNamespace(namespace);
    const { metadata } = isOwn ? service.controlledBy(aJobSet("train")) : service;
    return { ...service, metadata, spec: { ...service.spec, selector } };
  });
}

const SHARED_SUBDOMAIN = "net";

/** Returns another JobSet and the Service of its subdomain. */
export function listOtherJobSetWithService(): readonly KubernetesObject[] {
  const other = copySubdomain(aJobSet("other").withUid("other").withReplicatedJob("b"));
  const [service] = listServices({ names: [SHARED_SUBDOMAIN], selected: "other" });
  const ownerReferences = [controllerReference(other)];
  return [
    other,
    ...(service ? [{ ...service, metadata: { ...service.metadata, ownerReferences } }] : []),
  ];
}

/** Returns the JobSet with the shared subdomain. */
export function copySubdomain(jobSet: JobSet): JobSet {
  const network = { ...jobSet.spec.network, enableDNSHostnames: true, subdomain: SHARED_SUBDOMAIN };
  return { ...jobSet, spec: { ...jobSet.spec, network } };
}
