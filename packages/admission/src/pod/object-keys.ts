import type { Observed } from "@jobset-ts/api";
import { type KubernetesObject, nameOf, namespaceOf } from "@jobset-ts/api/kubernetes";
import type { ObjectKey } from "@jobset-ts/core";

/** Points at a Pod; one that is about to be created may have no name yet. */
export function podKey(pod: Observed<KubernetesObject>): ObjectKey {
  return { apiVersion: "v1", kind: "Pod", namespace: namespaceOf(pod), name: nameOf(pod) };
}

/** Points at a node. */
export function nodeKey(name: string): ObjectKey {
  return { apiVersion: "v1", kind: "Node", namespace: "", name };
}
