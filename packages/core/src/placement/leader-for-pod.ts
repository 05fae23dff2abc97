import type { Unvalidated } from "@jobset-ts/api";
import { EXCLUSIVE_TOPOLOGY_KEY } from "@jobset-ts/api/keys";
import { getControllerOf, type Pod } from "@jobset-ts/api/kubernetes";
import type { Context } from "../context.ts";
import {
  asString,
  getAnnotation,
  getNamespace,
  isBeingDeleted,
  isObject,
} from "../jobset-members.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import {
  declaredDomain,
  getDomain,
  isControlledBy,
  isLeftAlone,
  mayStillBind,
} from "./evaluate-placement.ts";
import { isLeaderPod } from "./leader.ts";

/**
 * Returns the leader whose followers need a reconcile because a Pod is new or has changed. `reconcilePlacement` then
 * decides what to do. The leader is
 *
 * - the Pod itself, if it is a leader under exclusive placement, is on a node and is not being deleted, whether it
 *   still runs or not;
 * - the live leader of a follower, unless the follower is being deleted or already selects the leader's domain. So a
 *   follower that is created long after its leader is repaired, too.
 *
 * Other objects are not a reason: Pods on shared nodes or with node selectors, Nodes, Jobs.
 *
 * @param pod - as it is after the change
 * @returns `undefined` if no leader needs a reconcile
 * @see JobSet `pod_controller`, which reconciles followers only when their leader changes
 */
export function leaderForPod(
  snapshot: Snapshot,
  pod: Unvalidated<Pod>,
  context: Context,
): Unvalidated<Pod> | undefined {
  if (!isObject(pod) || isBeingDeleted(pod)) return undefined;
  if (getAnnotation(pod, EXCLUSIVE_TOPOLOGY_KEY) === undefined) return undefined;
  if (isLeaderPod(pod)) return isOnNode(pod) ? pod : undefined;
  if (context.quirks.has("LateFollowersUnseen") || isLeftAlone(pod, context)) return undefined;

  const owner = getControllerOf(pod);
  if (owner === undefined) return undefined;
  // The Pods of an Indexed Job are named after the Job and their index.
  const sameName = snapshot.podsByIndexName(getNamespace(pod), `${asString(owner.name)}-0`);
  return sameName.find(
    (leader) =>
      isLeaderPod(leader) &&
      isOnNode(leader) &&
      !isBeingDeleted(leader) &&
      mayStillBind(leader, context) &&
      isControlledBy(leader, asString(owner.uid)) &&
      !selectsLeaderDomain(pod, leader, snapshot),
  );
}

/** Reports whether a follower is known to select its leader's domain. */
function selectsLeaderDomain(
  follower: Unvalidated<Pod>,
  leader: Unvalidated<Pod>,
  snapshot: Snapshot,
): boolean {
  const domain = getDomain(leader, snapshot);
  return domain.ok && declaredDomain(follower, domain.topologyKey) === domain.value;
}

function isOnNode({ spec }: Unvalidated<Pod>): boolean {
  return asString(spec?.nodeName) !== "";
}
