import type { Unvalidated } from "@jobset-ts/api";
import { getName, getNamespace, type KubernetesObject } from "@jobset-ts/api/kubernetes";
import type { ObjectKey } from "@jobset-ts/core";

/** Points at a Pod; one that is about to be created may have no name yet. */
export function podKey(pod: Unvalidated<KubernetesObject>): ObjectKey {
  return { apiVersion: "v1", kind: "Pod", namespace: getNamespace(pod), name: getName(pod) };
}

/** Points at a node. */
export function nodeKey(name: string): ObjectKey {
  return { apiVersion: "v1", kind: "Node", namespace: "", name };
}
