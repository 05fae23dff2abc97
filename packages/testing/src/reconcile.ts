export {
  type ApiOutcome,
  type ApiRequest,
  type RequestedObject,
  requestText,
} from "./laws/api-request.ts";
export { ApiServer, type Exchange } from "./laws/api-server.ts";
export {
  type ApiClient,
  ApiRefusal,
  type Controller,
  clientOf,
  controllerOfPlans,
  controllerOfRequests,
  listEverything,
  type Pass,
  type TypedRequest,
} from "./laws/controller.ts";
export type { Breach, JudgeOptions } from "./laws/judge.ts";
export type { Law, LawCase, Laws, LawText } from "./laws/law.ts";
export { breachesOf } from "./laws/reconcile-judge.ts";
export {
  lawOfBreach,
  lawsOfPasses,
  type ReconcileLawName,
  type ReconcileLawOptions,
  reconcileLaws,
} from "./laws/reconcile-laws.ts";
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
