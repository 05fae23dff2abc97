import type { Observed } from "@jobset-ts/api";
import { JOB_COMPLETION_INDEX_KEY } from "@jobset-ts/api/keys";
import type { Pod } from "@jobset-ts/api/kubernetes";
import { annotationOf } from "../jobset-members.ts";

/**
 * Whether a Pod leads the Pods of its Job under exclusive placement: the one with completion index `0`. Every
 * other Pod follows, also one without an index. The annotation decides, not the label.
 */
export function isLeaderPod(pod: Observed<Pod>): boolean {
  return annotationOf(pod, JOB_COMPLETION_INDEX_KEY) === "0";
}
