export { type Cluster, type ClusterLimits, clusters } from "./arbitraries/arbitrary-clusters.ts";
export { childJobs, jobSets } from "./arbitraries/arbitrary-jobsets.ts";
export { manifests } from "./arbitraries/arbitrary-manifests.ts";
export { clusterObjects } from "./arbitraries/arbitrary-objects.ts";
export { type Placement, placements } from "./arbitraries/arbitrary-placements.ts";
export {
  type PodAdmissionFacts,
  type PodAdmissionRequest,
  podAdmissionRequests,
} from "./arbitraries/arbitrary-pod-requests.ts";
export { broken, classics, hostileValues } from "./arbitraries/hostile-values.ts";
export { type AClaim, aClaim } from "./builders/a-claim.ts";
export { type AJob, aJob, type JobSteps, partsOfJobName } from "./builders/a-job.ts";
export { type AJobSet, aJobSet, aReplicatedJob, type JobSetSteps } from "./builders/a-jobset.ts";
export { type ANode, aNode } from "./builders/a-node.ts";
export { type APod, aPod, type PodSteps } from "./builders/a-pod.ts";
export { type AService, aService } from "./builders/a-service.ts";
export { controllerReference, type ObjectSteps } from "./builders/object-steps.ts";
export { reconciled, requestsOf, type Settings, someTime } from "./builders/reconciled.ts";
export { deepFreeze, frozenPart, thawed } from "./freezing.ts";
export { InMemoryCluster } from "./in-memory-cluster.ts";
export {
  classificationAgrees,
  countersAgree,
  dependencyGatesAgree,
} from "./properties/agreement.ts";
export {
  type ArgumentKind,
  answersAnything,
  anything,
  type FunctionRow,
  type FunctionTable,
  functionsAnswerAnything,
  ofCode,
} from "./properties/answers-anything.ts";
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
  type ValidatePod,
  verdictsAgree,
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
export {
  changesEqualASnapshotBuiltAfresh,
  type SnapshotOf,
  snapshotLeavesObjectsAlone,
  snapshotListingOrderDoesNotShow,
} from "./properties/snapshots.ts";
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
  serviceIsMadeWhenMissing,
} from "./properties/supporting-objects.ts";
export { anyClusterIsAnswered } from "./properties/totality.ts";
export { updatesLeaveUnknownMembers } from "./properties/unknown-members.ts";
export { type AppliedPatch, applyJsonPatch } from "./reference/apply-json-patch.ts";
export { applyStrategicMergePatch } from "./reference/apply-strategic-merge-patch.ts";
export { childKeysByTheTable } from "./reference/child-keys-by-the-table.ts";
export {
  type PodOrderName,
  type Told,
  toldByBothStages,
  toldByTheTable,
  whatIsTold,
} from "./reference/pod-truth-table.ts";
export { answersOf, snapshotQuestions } from "./reference/snapshot-answers.ts";
export { runs } from "./runs.ts";
