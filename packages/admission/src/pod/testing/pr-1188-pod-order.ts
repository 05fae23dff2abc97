import type { ReportedPodCheckId } from "../pod-check-ids.ts";

/** The order of JobSet's pull request #1188: the same checks, but the leader first. */
export const PR_1188_POD_ORDER = [
  "follower-labelled",
  "one-active-leader",
  "same-owner",
  "leader-scheduled",
  "node-selector-set",
  "topology-key-selected",
] as const satisfies readonly ReportedPodCheckId[];
