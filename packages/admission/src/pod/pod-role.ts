import type { Unvalidated } from "@jobset-ts/api";
import {
  EXCLUSIVE_TOPOLOGY_KEY,
  JOBSET_NAME_KEY,
  NODE_SELECTOR_STRATEGY_KEY,
} from "@jobset-ts/api/keys";
import { getAnnotation, type Pod } from "@jobset-ts/api/kubernetes";
import { isLeaderPod } from "@jobset-ts/core/placement";

/** The role of a Pod for JobSet's webhooks. Annotations decide, not labels. */
export type PodRole =
  /** The Pod does not belong to a JobSet. */
  | { readonly kind: "Foreign" }
  /** Placed by node labels. The webhooks ignore it, with or without a topology key. */
  | { readonly kind: "PlacedByNodeLabels" }
  /** The Pod belongs to a JobSet, without exclusive placement. */
  | { readonly kind: "Shared" }
  /** The leader, which chooses the domain of its Job. */
  | { readonly kind: "Leader"; readonly topologyKey: string }
  /** A follower, which must run in its leader's domain. */
  | { readonly kind: "Follower"; readonly topologyKey: string };

/**
 * Returns the role of a Pod for JobSet's webhooks.
 *
 * @param isExclusivityEnough - whether a topology key alone makes a Pod one of a JobSet
 * @example podRole({ metadata: { annotations: { "jobset.sigs.k8s.io/jobset-name": "train" } } }) // => { kind: "Shared" }
 */
export function podRole(pod: Unvalidated<Pod>, isExclusivityEnough = false): PodRole {
  const mark = isExclusivityEnough ? EXCLUSIVE_TOPOLOGY_KEY : JOBSET_NAME_KEY;
  if (getAnnotation(pod, mark) === undefined) return { kind: "Foreign" };
  if (getAnnotation(pod, NODE_SELECTOR_STRATEGY_KEY) !== undefined) {
    return { kind: "PlacedByNodeLabels" };
  }
  const topologyKey = getAnnotation(pod, EXCLUSIVE_TOPOLOGY_KEY);
  if (topologyKey === undefined) return { kind: "Shared" };
  return { kind: isLeaderPod(pod) ? "Leader" : "Follower", topologyKey };
}
