/**
 * The checks of a follower that a denial may report. The name states the condition that holds if the check
 * passes. Each check is a cause of the next one: without labels, the leader is unknown; without a leader,
 * owners cannot be compared; and so on up to the node selector, which cannot be set before the leader has a
 * domain.
 */
export type ReportedPodCheckId =
  | "follower-labelled"
  | "one-active-leader"
  | "same-owner"
  | "leader-scheduled"
  | "node-known"
  | "node-in-domain"
  | "node-selector-set"
  | "topology-key-selected"
  | "leader-domain-selected";

/**
 * The possible causes of a failed check, if the cluster shows them. Each name is the problem. Clients never see these
 * IDs, because upstream has no texts for them.
 */
export type LeaderProblemId =
  | "leader-absent"
  | "leader-terminating"
  | "leader-finished"
  | "leader-duplicated"
  | "leader-name-cut"
  | "pods-not-indexed"
  | "leader-of-other-job"
  | "insufficient-capacity"
  | "unschedulable"
  | "scheduling-gated"
  | "node-unknown"
  | "topology-label-missing";

/** The ID of a check of a Pod, in findings and denials. */
export type PodCheckId = ReportedPodCheckId | LeaderProblemId;
