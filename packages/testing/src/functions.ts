export {
  classificationAgrees,
  countersAgree,
  dependencyGatesAgree,
} from "./properties/agreement.ts";
export { type ChildKeysAt, childKeysAgree, indexLabelsAgree } from "./properties/child-keys.ts";
export { quietClusterComesToRest } from "./properties/coming-to-rest.ts";
export {
  conditionsAreInOrder,
  conditionTimesFollowTheStatus,
  eventsTellOfConditions,
  restartEndsWhenAllAreReady,
  suspensionShowsInConditions,
} from "./properties/conditions.ts";
export {
  elasticJobsFollowTheirTemplate,
  resumedJobsFollowTheirTemplate,
} from "./properties/following-templates.ts";
export {
  type AdmitJobSet,
  admittedJobSetsMakeValidObjects,
  anyJobSetRequestIsAnswered,
  defaultingIsIdempotent,
  editsWhileSuspendedReachTheJobs,
  finalizersCanGo,
  quirksOnlyAdmitMore,
  type ResumeJob,
  updatesGetNoDefaults,
  updatesKeepWhatCreationChecks,
  type ValidateJobSet,
} from "./properties/jobset-admission.ts";
export {
  anyPlacementIsAnswered,
  placementDeletesAllOrNone,
  placementInputIsLeftAlone,
  placementListingOrderDoesNotShow,
  placementMarksBeforeItDeletes,
  placementRestsOnceCarriedOut,
  placementRestsWhenFollowersAgree,
  placementTouchesOnlyFollowers,
  placementWaitsForTheLeader,
  type ReconcilePlacement,
} from "./properties/placement.ts";
export {
  anyPodIsAnswered,
  bothStagesAgreeWithTheTable,
  changesAreAnnounced,
  leaderPendingIsNotMasked,
  type MutatePod,
  mutatingTwiceIsMutatingOnce,
  type PodWebhooks,
  podAdmissionHidesTheListingOrder,
  podAdmissionLeavesInputAlone,
  podValidationAgreesWithTheTable,
  rootsHaveNoFailingCause,
  sameAreLetIn,
  type ValidatePod,
} from "./properties/pod-admission.ts";
export {
  failurePolicyAgrees,
  inPlaceAttemptsAgree,
  startupOrderIsKept,
  successPolicyAgrees,
  timeToLiveIsKept,
} from "./properties/policies.ts";
export {
  frozenInputGivesTheSameAnswerTwice,
  inputIsLeftAlone,
  listingOrderDoesNotShow,
} from "./properties/purity.ts";
export { aPlanCarriedOutAgainIsHarmless } from "./properties/replay.ts";
export {
  anyRequestIsAnswered,
  anyReviewIsAnswered,
  patchesGiveTheMutatedObject,
  type Requirements,
  type Review,
  requirementsSuffice,
} from "./properties/reviews.ts";
export {
  type Admission,
  type CheckedCondition,
  denialsNameRootCauses,
  type MessageOfCheck,
  type WebhookUnderTest,
} from "./properties/root-causes.ts";
export { finishedStaysFinished, restartsNeverGoDown } from "./properties/status.ts";
export {
  noTwoJobsOfOneName,
  nothingForWhatIsNotOurs,
  resumeIsIdempotent,
  suspendedMeansEveryJob,
} from "./properties/steps.ts";
export type { Reconcile } from "./properties/subject.ts";
export {
  missingVolumeClaimsAreMade,
  serviceConflictIsTold,
  serviceIsMadeWhenMissing,
} from "./properties/supporting-objects.ts";
export { anyClusterIsAnswered } from "./properties/totality.ts";
export { updatesLeaveUnknownMembers } from "./properties/unknown-members.ts";
