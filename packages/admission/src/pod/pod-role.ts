import type { Unvalidated } from "@jobset-ts/api";
import {
  EXCLUSIVE_TOPOLOGY_KEY,
  JOBSET_NAME_KEY,
  NODE_SELECTOR_STRATEGY_KEY,
} from "@jobset-ts/api/keys";
import { getAnnotation, type Pod } from "@jobset-ts/api/kubernetes";
import { isLeaderPod } from "@jobset-ts/core/placement";

/** What a Pod is to JobSet's webhooks. Its annotations decide, not its labels. */
export type PodRole =
  /** No Pod of a JobSet. */
  | { readonly kind: "Foreign" }
  /** Placed by node labels set beforehand; the webhooks leave it alone, with or without a topology key. */
  | { readonly kind: "PlacedByNodeLabels" }
  /** Of a JobSet, and free to share its topology domain with others. */
  | { readonly kind: "Shared" }
  /** The Pod of its Job that chooses the domain. */
  | { readonly kind: "Leader"; readonly topologyKey: string }
  /** A Pod that has to go where its leader is. */
  | { readonly kind: "Follower"; readonly topologyKey: string };

/**
 * What a Pod is to JobSet's webhooks.
 *
 * @example podRole({ metadata: { annotations: { "jobset.sigs.k8s.io/jobset-name": "train" } } }) // => { kind: "Shared" }
 */
export function podRole(pod: Unvalidated<Pod>): PodRole {
  if (getAnnotation(pod, JOBSET_NAME_KEY) === undefined) return { kind: "Foreign" };
  if (getAnnotation(pod, NODE_SELECTOR_STRATEGY_KEY) !== undefined) {
    return { kind: "PlacedByNodeLabels" };
  }
  const topologyKey = getAnnotation(pod, EXCLUSIVE_TOPOLOGY_KEY);
  if (topologyKey === undefined) return { kind: "Shared" };
  return { kind: isLeaderPod(pod) ? "Leader" : "Follower", topologyKey };
}
