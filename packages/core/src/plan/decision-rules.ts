/**
 * The phases of a pass in evaluation order, each with its rules. A rule is the reason for an action, or for its
 * absence. The sentence says when the rule applies.
 *
 * @example decisionRules["create-jobs"].JobMissing // => "a Job of the JobSet does not exist"
 */
export const decisionRules = {
  classify: {
    Refused: "Jobs were not read, or the label of a Job does not show its restart attempt",
  },
  status: {
    CountersChanged: "the status counters are out of date",
  },
  "delete-active": {
    JobSetFinished: "the JobSet has finished and one of its Jobs is still active",
  },
  "delete-jobset": {
    TtlRunning: "the JobSet has finished, and its TTL has not expired",
    TtlExpired: "the JobSet has finished, and its TTL has expired",
    Refused: "the JobSet has finished, but its finish time is unknown",
  },
  "execution-attempts": {
    Initialize: "the JobSet starts to count execution attempts",
    Resume: "the JobSet resumes, which starts another execution attempt",
  },
  "delete-previous": {
    EarlierRestartAttempt: "a Job belongs to an earlier restart attempt",
  },
  "failure-policy": {
    FailJobSet: "a Job has failed, and the policy fails the JobSet",
    RestartJobSet: "a Job has failed, and all Jobs restart",
    RestartJobSetAndIgnoreMaxRestarts:
      "a Job has failed, and all Jobs restart without counting the restart",
    RestartJob: "a Job has failed, and only this Job restarts",
    RestartJobAndIgnoreMaxRestarts:
      "a Job has failed, and only this Job restarts, without counting the restart",
    Refused: "a Job has failed, and the action of the rule that applies is impossible",
  },
  "success-policy": {
    OperatorAll: "all Jobs of the success policy have succeeded",
    OperatorAny: "a Job of the success policy has succeeded",
    OperatorUnknown: "the operator is neither All nor Any, so one successful Job is enough",
  },
  service: {
    ServiceMissing: "DNS hostnames are enabled and no Service has the subdomain's name",
    ServiceConflict: "the Service with the subdomain's name selects the Pods of another JobSet",
    Refused: "Services were not read",
  },
  "volume-claims": {
    VolumeClaimMissing: "a PersistentVolumeClaim of the JobSet does not exist",
  },
  scale: {
    TemplateScaled:
      "the parallelism or completions of a template differ from those of an active Job",
  },
  "create-jobs": {
    JobMissing: "a Job of the JobSet does not exist",
    DependencyNotReached: "a dependency of a ReplicatedJob has not reached the required status",
    BlockingRecreate: "Jobs of earlier restart attempts still exist",
    Refused: "the JobSet has more Jobs than a plan may contain",
  },
  suspend: {
    JobSetSuspended: "the JobSet is suspended, and an active Job is not suspended",
  },
  resume: {
    JobSetResumed: "the JobSet is not suspended, and an active Job is suspended",
    PodsNotStopped:
      "the Pods of a suspended Job still run, and the template of this Job must change",
  },
  "in-place-restart": {
    FailJobSet: "the in-place restarts of the Pods exceed the JobSet's limit",
    SetCurrentAttempt: "all Pods have reached the same attempt",
    SetPreviousAttempt: "a Pod is at an attempt that the others have not reached",
    Refused: "Pods were not read, or a Pod announces an invalid attempt",
  },
  "write-status": {
    StatusChanged: "the new status differs from the stored one",
  },
  placement: {
    ExclusivePlacementViolation: "a follower selects a different topology domain than its leader's",
    LeaderGone: "the leader no longer exists",
    LeaderEnded: "the leader has finished",
    NodeSelectorStrategy: "the Job is placed by node labels",
    NoFollowers: "the leader has no followers",
    FollowersAgree: "all followers select the leader's domain",
    Refused: "Pods or Nodes were not read, or the leader's domain is unknown",
  },
} as const;

/** The phases of a pass. `placement` is the only phase of its pass. */
export type Phase = keyof typeof decisionRules;

/** The rules of all phases. */
export type DecisionRule = {
  [Part in Phase]: keyof (typeof decisionRules)[Part];
}[Phase];
