import type { Unvalidated } from "@jobset-ts/api";
import { getName, getNamespace, type KubernetesObject } from "@jobset-ts/api/kubernetes";
import type { ObjectKey } from "@jobset-ts/core";

/** Returns the key of a Pod. A Pod that is about to be created may have no name yet. */
export function podKey(pod: Unvalidated<KubernetesObject>): ObjectKey {
  return { apiVersion: "v1", kind: "Pod", namespace: getNamespace(pod), name: getName(pod) };
}

/** Returns the key of a node. */
export function nodeKey(name: string): ObjectKey {
  return { apiVersion: "v1", kind: "Node", namespace: "", name };
}
