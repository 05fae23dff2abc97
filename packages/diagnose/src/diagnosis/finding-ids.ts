/** What can be found of a JobSet, in the order in which causes of the same weight are told. */
export const findingIds = [
  "deleting",
  "managed-elsewhere",
  "restarts-exhausted",
  "jobset-failed",
  "queued",
  "suspended",
  "not-reconciled",
  "webhook-unavailable",
  "service-rejected",
  "service-missing",
  "service-foreign",
  "volume-claim-rejected",
  "restart-cleanup",
  "dependency-not-ready",
  "startup-order",
  "job-foreign",
  "job-rejected",
  "job-absent",
  "job-suspended",
  "job-failing",
  "job-failed",
  "leader-rejected",
  "leader-absent",
  "leader-duplicated",
  "leader-terminating",
  "leader-finished",
  "leader-failed",
  "leader-name-truncated",
  "non-indexed-exclusive",
  "leader-of-other-job",
  "scheduling-gated",
  "scheduler-not-tried",
  "no-domain-label",
  "insufficient-capacity",
  "domain-occupied",
  "domain-sticky",
  "volume-claim-missing",
  "volume-claim-pending",
  "constraint-mismatch",
  "leader-unscheduled",
  "node-unknown",
  "topology-label-missing",
  "followers-refused",
  "pods-rejected",
  "pods-not-created",
  "follower-misplaced",
  "pod-unscheduled",
  "pod-terminating",
  "node-not-ready",
  "pod-waiting",
  "pod-start-failing",
  "pod-starting",
  "pod-restarting",
  "pod-not-ready",
  "pod-failed",
] as const;

/**
 * What can be found of a JobSet, by its name; stable, for programs to read.
 *
 * @example const id: FindingId = "insufficient-capacity"; // => "insufficient-capacity"
 */
export type FindingId = (typeof findingIds)[number];

/** Where a finding's kind stands in the order of telling. */
export const findingRank: ReadonlyMap<FindingId, number> = new Map(
  findingIds.map((id, rank) => [id, rank]),
);

/** What can keep a follower from being let in: the Job's leader cannot be followed. */
export const leaderFaults = [
  "leader-absent",
  "leader-duplicated",
  "leader-terminating",
  "leader-finished",
  "leader-failed",
  "leader-name-truncated",
  "non-indexed-exclusive",
  "leader-of-other-job",
  "leader-unscheduled",
  "node-unknown",
  "topology-label-missing",
] as const satisfies readonly FindingId[];
