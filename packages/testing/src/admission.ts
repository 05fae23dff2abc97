export { jobSetAdmissionLaws } from "./laws/jobset-admission-laws.ts";
export {
  claimsCanBeMounted,
  coordinatorsWillExist,
  dependenciesPointBackwards,
  exclusiveJobsHaveLeaders,
  existingClaimsAreTakenUp,
  failureRulesCanApply,
  jobRestartsCanBeCounted,
  managersHaveADomain,
  mistakesAreToldAsSuch,
  namesFit,
  podsCanBeCounted,
  restartsInPlaceAreFit,
  subdomainsAreServiceNames,
  successTargetsExist,
  validJobSetsAreLetIn,
} from "./laws/jobset-creation-laws.ts";
export {
  defaultingAgainChangesNothing,
  editsGetNoDefaults,
  newJobSetsGetDefaults,
  whatIsGivenStays,
} from "./laws/jobset-defaulting-laws.ts";
export {
  editsBreakNoRule,
  jobSetReviewsAreAnswered,
  jobSetsCanAlwaysGo,
  managersStay,
  policiesAreNotRemoved,
  replicatedJobsStay,
  scalingIsInTandem,
  whatMayChangeMayChange,
} from "./laws/jobset-update-laws.ts";
export { type Law, LawBroken, type LawCase, type Laws, type LawText } from "./laws/law.ts";
export { podAdmissionLaws } from "./laws/pod-admission-laws.ts";
export {
  followersGetNoOtherDomain,
  followersGetTheLeadersDomain,
  leadersGetTheirTerms,
  mutatingAgainChangesNothing,
  nothingElseIsTouched,
  othersAreLeftAlone,
  podsBearTheirPriority,
} from "./laws/pod-mutation-laws.ts";
export {
  followersCarryTheLeadersDomain,
  followersFollowTheirLeader,
  followersWaitForALeader,
  followersWaitForTheLeadersNode,
  leadersThatEndedDoNotCount,
  onlyCreationsAreJudged,
  otherJobsLeadersDoNotCount,
  othersAreLetIn,
  pendingLeadersAreNotMasked,
  podReviewsAreAnswered,
  readyFollowersAreLetIn,
  twoLeadersAreNone,
} from "./laws/pod-validation-laws.ts";
export {
  type Admission,
  type CheckedCondition,
  denialsNameRootCauses,
  type MessageOfCheck,
  type WebhookUnderTest,
} from "./laws/root-causes.ts";
export {
  type AdmissionReviewJson,
  type FetchJson,
  type MutatingWebhook,
  type ValidatingWebhook,
  type Webhook,
  type WebhookAtOptions,
  type WebhookFunctions,
  type Webhooks,
  webhookAt,
  webhookOfHandler,
  webhooksOf,
  webhooksOfReview,
} from "./laws/webhook.ts";
