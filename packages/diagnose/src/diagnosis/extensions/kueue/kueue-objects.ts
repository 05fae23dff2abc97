import type { Unvalidated } from "@jobset-ts/api";
import { asArray, isObject, type KubernetesObject } from "@jobset-ts/api/kubernetes";
import type { ObjectKey } from "@jobset-ts/core";
import { findObject, type ObjectWithConditions } from "../../view/cluster-facts.ts";
import type { JobSetView } from "../../view/jobset-view.ts";

/** The API group of Kueue, and the prefix of its labels and scheduling gates. */
export const KUEUE_GROUP = "kueue.x-k8s.io";
export const PREBUILT_WORKLOAD_KEY = "kueue.x-k8s.io/prebuilt-workload-name";

/** Kueue's Workload, with the members that the checks read. They are those of v1beta1 and later. */
export interface Workload extends KubernetesObject {
  readonly spec?: {
    readonly active?: boolean;
    readonly queueName?: string;
    readonly priority?: number;
  };
  readonly status?: ObjectWithConditions["status"] & {
    readonly admission?: {
      readonly clusterQueue?: string;
      readonly podSetAssignments?: readonly {
        readonly topologyAssignment?: object;
        readonly delayedTopologyRequest?: string;
      }[];
    };
    readonly admissionChecks?: readonly AdmissionCheckState[];
    readonly requeueState?: { readonly count?: number; readonly requeueAt?: string };
    readonly nominatedClusterNames?: readonly string[];
    readonly clusterName?: string;
  };
}

export interface AdmissionCheckState {
  readonly name?: string;
  readonly state?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string;
}

export interface LocalQueue extends ObjectWithConditions {
  readonly spec?: { readonly clusterQueue?: string; readonly stopPolicy?: string };
}

export interface ClusterQueue extends ObjectWithConditions {
  readonly spec?: {
    readonly stopPolicy?: string;
    readonly queueingStrategy?: string;
    readonly namespaceSelector?: {
      readonly matchLabels?: Readonly<Record<string, string>>;
      readonly matchExpressions?: readonly unknown[];
    };
    /** Until v1beta1. */
    readonly admissionChecks?: readonly string[];
    readonly admissionChecksStrategy?: {
      readonly admissionChecks?: readonly { readonly name?: string }[];
    };
    readonly resourceGroups?: readonly {
      readonly coveredResources?: readonly string[];
      readonly flavors?: readonly FlavorQuotas[];
    }[];
  };
  readonly status?: ObjectWithConditions["status"] & {
    readonly pendingWorkloads?: number;
    readonly flavorsReservation?: readonly {
      readonly name?: string;
      readonly resources?: readonly { readonly name?: string; readonly total?: string | number }[];
    }[];
  };
}

interface FlavorQuotas {
  readonly name?: string;
  readonly resources?: readonly {
    readonly name?: string;
    readonly nominalQuota?: string | number;
  }[];
}

export interface AdmissionCheck extends ObjectWithConditions {
  readonly spec?: { readonly controllerName?: string };
}

/** Returns the object of a Kueue kind. The namespace is empty for cluster-scoped kinds. */
export function findKueueObject<Item extends KubernetesObject>(
  { facts }: Pick<JobSetView, "facts">,
  kind: string,
  namespace: string,
  name: string,
): Unvalidated<Item> | undefined {
  return findObject<Item>(facts, kind, KUEUE_GROUP, { namespace, name });
}

/** Returns the key of a Kueue object that may not exist. */
export function createKueueKey(kind: string, namespace: string, name: string): ObjectKey {
  return { apiVersion: `${KUEUE_GROUP}/v1beta2`, kind, namespace, name };
}

/** Returns the elements of a list that are objects. */
export function listMembers<Item extends object>(
  value: readonly Item[] | null | undefined,
): readonly Item[] {
  return asArray(value).filter((item) => isObject(item));
}

/** Returns the names of a list of text. */
export function listNames(value: readonly string[] | null | undefined): readonly string[] {
  return asArray(value).filter((name) => typeof name === "string");
}
