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
 * The objects besides the JobSet on which decisions depend. An absent list counts as empty. The order of a list matters
 * only if its documentation allows this.
 */
export interface KueueCluster {
  readonly namespaces?: readonly Unvalidated<KubernetesObject>[];
  readonly localQueues?: readonly Unvalidated<LocalQueue>[];
  readonly clusterQueues?: readonly Unvalidated<ClusterQueue>[];
  readonly admissionChecks?: readonly Unvalidated<AdmissionCheck>[];
  readonly resourceFlavors?: readonly Unvalidated<ResourceFlavor>[];
  readonly workloadPriorityClasses?: readonly Unvalidated<PriorityClass>[];
  readonly priorityClasses?: readonly Unvalidated<PriorityClass>[];
  /** The objects that own JobSets, and the owners of these objects. */
  readonly owners?: readonly Unvalidated<KubernetesObject>[];
  readonly workloads?: readonly Unvalidated<Workload>[];
}

/** A queue of a namespace. */
export interface LocalQueue {
  metadata: ObjectMeta;
  spec?: { clusterQueue?: string };
}

/** The quota that LocalQueues use. */
export interface ClusterQueue {
  metadata: ObjectMeta;
  spec?: { admissionChecksStrategy?: { admissionChecks?: { name: string }[] } };
}

/** A check, besides quota, that a Workload must pass to be admitted. */
export interface AdmissionCheck {
  metadata: ObjectMeta;
  spec?: { controllerName?: string };
}

/** A kind of node that provides resources. */
export interface ResourceFlavor {
  metadata: ObjectMeta;
  spec?: { nodeLabels?: Record<string, string>; tolerations?: Toleration[] };
}

/** A named priority: Kueue's WorkloadPriorityClass or Kubernetes' PriorityClass. */
export interface PriorityClass {
  metadata: ObjectMeta;
  value: number;
  /** Only in a PriorityClass: whether it applies to Pods without a class. */
  globalDefault?: boolean;
}

/** Finds an object by its name and, unless it is cluster-scoped, its namespace. */
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
