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
