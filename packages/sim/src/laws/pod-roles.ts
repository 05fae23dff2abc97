import {
  EXCLUSIVE_TOPOLOGY_KEY,
  JOB_COMPLETION_INDEX_KEY,
  JOBSET_NAME_KEY,
  NODE_SELECTOR_STRATEGY_KEY,
} from "@jobset-ts/api/keys";
import { getAnnotation, getControllerOf, getLabel, type Pod } from "@jobset-ts/api/kubernetes";
import { listPods, type Objects } from "../api-server/objects.ts";
import { isPodFinished } from "../api-server/pod-conditions.ts";

/** Whether a Pod is to be in a topology domain that its Job has for itself, and finds it by its leader. */
export function isPlacedExclusively(pod: Pod): boolean {
  return (
    getAnnotation(pod, EXCLUSIVE_TOPOLOGY_KEY) !== undefined &&
    getAnnotation(pod, NODE_SELECTOR_STRATEGY_KEY) === undefined &&
    getLabel(pod, JOBSET_NAME_KEY) !== undefined
  );
}

/** Whether a Pod decides for its Job in which domain it is. */
export function isLeader(pod: Pod): boolean {
  return isPlacedExclusively(pod) && getAnnotation(pod, JOB_COMPLETION_INDEX_KEY) === "0";
}

/** Whether a Pod goes where its leader is; one without an index looks like a follower, too. */
export function isFollower(pod: Pod): boolean {
  return isPlacedExclusively(pod) && !isLeader(pod);
}

/** The leader of a Pod's Job that is neither being deleted nor has ended. */
export function getLeader(pod: Pod, objects: Objects): Pod | undefined {
  return liveLeader(getControllerOf(pod)?.uid ?? "", objects);
}

/** The same, by the UID of the Job. */
export function liveLeader(jobUid: string, objects: Objects): Pod | undefined {
  return listPods(jobUid, objects).find(
    (pod) => isLeader(pod) && pod.metadata.deletionTimestamp === undefined && !isPodFinished(pod),
  );
}
