import type { Unvalidated } from "@jobset-ts/api";
import {
  asArray,
  getName,
  getNamespace,
  isObject,
  type KubernetesObject,
  type ObjectMeta,
  type Toleration,
} from "@jobset-ts/api/kubernetes";
import type { Workload } from "./workload.ts";

/**
 * What a decision about a JobSet looks up besides it. A list that is absent is empty; the order of lists does not show
 * unless it is said to.
 */
export interface KueueCluster {
  readonly namespaces?: readonly Unvalidated<KubernetesObject>[];
  readonly localQueues?: readonly Unvalidated<LocalQueue>[];
  readonly clusterQueues?: readonly Unvalidated<ClusterQueue>[];
  readonly admissionChecks?: readonly Unvalidated<AdmissionCheck>[];
  readonly resourceFlavors?: readonly Unvalidated<ResourceFlavor>[];
  readonly workloadPriorityClasses?: readonly Unvalidated<PriorityClass>[];
  readonly priorityClasses?: readonly Unvalidated<PriorityClass>[];
  /** Objects that own JobSets, and the owners of these. */
  readonly owners?: readonly Unvalidated<KubernetesObject>[];
  readonly workloads?: readonly Unvalidated<Workload>[];
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
export function findNamed<Item extends Unvalidated<{ metadata: ObjectMeta }>>(
  objects: readonly Item[] | undefined,
  name: string,
  namespace = "",
): Item | undefined {
  return asArray(objects).find(
    (object) =>
      isObject(object) &&
      getName(object as Unvalidated<KubernetesObject>) === name &&
      getNamespace(object as Unvalidated<KubernetesObject>) === namespace,
  ) as Item | undefined;
}
