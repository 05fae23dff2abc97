import type { Observed } from "@jobset-ts/api";
import {
  isObject,
  type KubernetesObject,
  listOf,
  nameOf,
  namespaceOf,
  type ObjectMeta,
  type Toleration,
} from "@jobset-ts/api/kubernetes";
import type { Workload } from "./workload.ts";

/**
 * What a decision about a JobSet looks up besides it. A list that is absent is empty; the order of lists does not show
 * unless it is said to.
 */
export interface KueueCluster {
  readonly namespaces?: readonly Observed<KubernetesObject>[];
  readonly localQueues?: readonly Observed<LocalQueue>[];
  readonly clusterQueues?: readonly Observed<ClusterQueue>[];
  readonly admissionChecks?: readonly Observed<AdmissionCheck>[];
  readonly resourceFlavors?: readonly Observed<ResourceFlavor>[];
  readonly workloadPriorityClasses?: readonly Observed<PriorityClass>[];
  readonly priorityClasses?: readonly Observed<PriorityClass>[];
  /** Objects that own JobSets, and the owners of these. */
  readonly owners?: readonly Observed<KubernetesObject>[];
  readonly workloads?: readonly Observed<Workload>[];
}

/** A queue of a namespace. */
export interface LocalQueue {
  metadata: ObjectMeta;
  spec?: { clusterQueue?: string };
}

/** What LocalQueues take quota from. */
export interface ClusterQueue {
  metadata: ObjectMeta;
  spec?: { admissionChecksStrategy?: { admissionChecks?: { name: string }[] } };
}

/** What has to be settled besides quota before a Workload is admitted. */
export interface AdmissionCheck {
  metadata: ObjectMeta;
  spec?: { controllerName?: string };
}

/** A kind of node that resources come from. */
export interface ResourceFlavor {
  metadata: ObjectMeta;
  spec?: { nodeLabels?: Record<string, string>; tolerations?: Toleration[] };
}

/** A priority with a name: Kueue's WorkloadPriorityClass or Kubernetes' PriorityClass. */
export interface PriorityClass {
  metadata: ObjectMeta;
  value: number;
  /** Of Kubernetes' alone: what has no class has this one. */
  globalDefault?: boolean;
}

/** The object of a name, in a namespace unless it lives in none. */
export function named<Item extends Observed<{ metadata: ObjectMeta }>>(
  objects: readonly Item[] | undefined,
  name: string,
  namespace = "",
): Item | undefined {
  return listOf(objects).find(
    (object) =>
      isObject(object) &&
      nameOf(object as Observed<KubernetesObject>) === name &&
      namespaceOf(object as Observed<KubernetesObject>) === namespace,
  ) as Item | undefined;
}
