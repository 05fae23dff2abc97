import type { Unvalidated } from "@jobset-ts/api";
import { JOB_COMPLETION_INDEX_KEY } from "@jobset-ts/api/keys";
import type { Pod } from "@jobset-ts/api/kubernetes";
import { getAnnotation } from "../jobset-members.ts";

/**
 * Reports whether a Pod leads the Pods of its Job under exclusive placement: the one with completion index `0`. All
 * other Pods are followers, including one without an index. The annotation decides, not the label.
 */
export function isLeaderPod(pod: Unvalidated<Pod>): boolean {
  return getAnnotation(pod, JOB_COMPLETION_INDEX_KEY) === "0";
}
