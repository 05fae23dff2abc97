import {
  EXCLUSIVE_TOPOLOGY_KEY,
  JOB_COMPLETION_INDEX_KEY,
  JOBSET_NAME_KEY,
  NODE_SELECTOR_STRATEGY_KEY,
} from "@jobset-ts/api/keys";
import { getAnnotation, getControllerOf, getLabel, type Pod } from "@jobset-ts/api/kubernetes";
import { listPods, type Objects } from "../api-server/objects.ts";
import { isPodFinished } from "../api-server/pod-conditions.ts";

/** Reports whether a Pod needs a topology domain that its Job does not share, and follows its leader there. */
export function isPlacedExclusively(pod: Pod): boolean {
  return (
    getAnnotation(pod, EXCLUSIVE_TOPOLOGY_KEY) !== undefined &&
    getAnnotation(pod, NODE_SELECTOR_STRATEGY_KEY) === undefined &&
    getLabel(pod, JOBSET_NAME_KEY) !== undefined
  );
}

/** Reports whether a Pod determines the domain of its Job. */
export function isLeader(pod: Pod): boolean {
  return isPlacedExclusively(pod) && getAnnotation(pod, JOB_COMPLETION_INDEX_KEY) === "0";
}

/** Reports whether a Pod follows its leader. A Pod without an index looks like a follower, too. */
export function isFollower(pod: Pod): boolean {
  return isPlacedExclusively(pod) && !isLeader(pod);
}

/** Returns the leader of a Pod's Job that is neither being deleted nor finished. */
export function getLeader(pod: Pod, objects: Objects): Pod | undefined {
  return liveLeader(getControllerOf(pod)?.uid ?? "", objects);
}

/** Returns the leader by the UID of the Job. */
export function liveLeader(jobUid: string, objects: Objects): Pod | undefined {
  return listPods(jobUid, objects).find(
    (pod) => isLeader(pod) && pod.metadata.deletionTimestamp === undefined && !isPodFinished(pod),
  );
}
