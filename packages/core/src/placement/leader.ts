import type { Observed } from "@jobset-ts/api";
import { EXCLUSIVE_TOPOLOGY_KEY, JOB_COMPLETION_INDEX_KEY } from "@jobset-ts/api/keys";
import type { Pod } from "@jobset-ts/api/kubernetes";
import { annotationOf, isObject, textOf } from "../jobset-members.ts";

/**
 * Whether a Pod leads the Pods of its Job under exclusive placement: the one with completion index `0`. Every
 * other Pod follows, also one without an index. The annotation decides, not the label.
 */
export function isLeaderPod(pod: Observed<Pod>): boolean {
  return annotationOf(pod, JOB_COMPLETION_INDEX_KEY) === "0";
}

/**
 * Whether a new or changed Pod is a reason to look after the placement of its followers: a leader under exclusive
 * placement that is on a node and not being deleted. Nothing else is a reason: no follower, node or Job.
 *
 * Whether the leader still runs, and by which strategy its Job is placed, is not asked here but by
 * `reconcilePlacement`.
 *
 * @param pod - as it is after the change
 */
export function isPlacementTrigger(pod: Observed<Pod>): boolean {
  return (
    isObject(pod) &&
    isLeaderPod(pod) &&
    textOf(pod.spec?.nodeName) !== "" &&
    annotationOf(pod, EXCLUSIVE_TOPOLOGY_KEY) !== undefined &&
    (pod.metadata?.deletionTimestamp ?? undefined) === undefined
  );
}
