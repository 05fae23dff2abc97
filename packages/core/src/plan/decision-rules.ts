/**
 * The parts of a pass in the order in which they are decided, and the rules that each decides by: why something is
 * done, or is not. The sentence says when a rule applies.
 *
 * @example decisionRules["create-jobs"].JobMissing // => "a Job that the JobSet asks for does not exist"
 */
export const decisionRules = {
  classify: {
    Refused:
      "Jobs were not read, or a label of one does not say to which restart attempt it belongs",
  },
  status: {
    CountersChanged: "the Jobs are no longer as the status counts them",
  },
  "delete-active": {
    JobSetFinished: "the JobSet has ended and a Job of it is still active",
  },
  "delete-jobset": {
    TtlRunning: "the JobSet has ended, and is to be deleted later",
    TtlExpired: "the JobSet has ended, and its time to live is over",
    Refused: "the JobSet has ended, and nobody can say when",
  },
  "execution-attempts": {
    Initialize: "executions are counted from now on",
    Resume: "the JobSet runs again, which begins another execution",
  },
  "delete-previous": {
    EarlierRestartAttempt: "a Job is of an earlier restart attempt",
  },
  "failure-policy": {
    FailJobSet: "a Job has failed, and the JobSet fails with it",
    RestartJobSet: "a Job has failed, and all Jobs restart",
    RestartJobSetAndIgnoreMaxRestarts:
      "a Job has failed, and all Jobs restart, which does not count",
    RestartJob: "a Job has failed, and restarts alone",
    RestartJobAndIgnoreMaxRestarts: "a Job has failed, and restarts alone, which does not count",
    Refused: "a Job has failed, and what its rule asks for cannot be done",
  },
  "success-policy": {
    OperatorAll: "all Jobs that the success policy names have succeeded",
    OperatorAny: "a Job that the success policy names has succeeded",
    OperatorUnknown: "the operator is neither All nor Any, so one Job that has succeeded is enough",
  },
  service: {
    ServiceMissing: "DNS host names are on and no Service has the subdomain's name",
    ServiceConflict: "the Service of the subdomain's name selects the Pods of another JobSet",
    Refused: "Services were not read",
  },
  "volume-claims": {
    VolumeClaimMissing: "a volume claim that the JobSet asks for does not exist",
  },
  scale: {
    TemplateScaled: "the numbers of Pods in a template differ from those of an active Job",
  },
  "create-jobs": {
    JobMissing: "a Job that the JobSet asks for does not exist",
    DependencyNotReached: "a ReplicatedJob depends on one that has not come far enough",
    BlockingRecreate: "Jobs of earlier restart attempts have to be gone first",
    Refused: "the JobSet asks for more Jobs than can be planned",
  },
  suspend: {
    JobSetSuspended: "the JobSet is suspended and an active Job is not",
  },
  resume: {
    JobSetResumed: "the JobSet is not suspended and an active Job is",
    PodsNotStopped: "the Pods of a suspended Job run on, and its template is to change",
  },
  "in-place-restart": {
    FailJobSet: "Pods have restarted in place more often than the JobSet may",
    SetCurrentAttempt: "all Pods have reached the same attempt",
    SetPreviousAttempt: "a Pod is at an attempt that others have not reached",
    Refused: "Pods were not read, or what a Pod announces is no attempt",
  },
  "write-status": {
    StatusChanged: "the status to be is not the stored one",
  },
  placement: {
    ExclusivePlacementViolation:
      "a follower is sent to another topology domain than its leader is in",
    LeaderGone: "the leader does not exist any more",
    LeaderEnded: "the leader has ended",
    NodeSelectorStrategy: "the Job is placed by node labels",
    NoFollowers: "the leader has no followers",
    FollowersAgree: "all followers are sent to the leader's domain",
    Refused: "Pods or Nodes were not read, or the leader's domain cannot be told",
  },
} as const;

/** The parts of a pass; `placement` is a pass of its own. */
export type Phase = keyof typeof decisionRules;

/** The rules of all phases. */
export type DecisionRule = {
  [Part in Phase]: keyof (typeof decisionRules)[Part];
}[Phase];
