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
