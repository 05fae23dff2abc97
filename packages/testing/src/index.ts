export { type Cluster, type ClusterLimits, clusters } from "./arbitraries/arbitrary-clusters.ts";
export { childJobs, jobSets } from "./arbitraries/arbitrary-jobsets.ts";
export { clusterObjects } from "./arbitraries/arbitrary-objects.ts";
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
export { childKeysByTheTable } from "./obvious/child-keys-by-the-table.ts";
export { answersOf, snapshotQuestions } from "./obvious/snapshot-answers.ts";
export {
  classificationAgrees,
  countersAgree,
  dependencyGatesAgree,
} from "./properties/agreement.ts";
export { quietClusterComesToRest } from "./properties/coming-to-rest.ts";
export {
  frozenInputGivesTheSameAnswerTwice,
  inputIsLeftAlone,
  listingOrderDoesNotShow,
} from "./properties/purity.ts";
export {
  type Admission,
  type CheckedCondition,
  denialsNameRootCauses,
  type MessageOfCheck,
  type WebhookUnderTest,
} from "./properties/root-causes.ts";
export {
  conditionsAreInOrder,
  finishedStaysFinished,
  restartsNeverGoDown,
} from "./properties/status.ts";
export {
  noTwoJobsOfOneName,
  nothingForWhatIsNotOurs,
  resumeIsIdempotent,
  suspendedMeansEveryJob,
} from "./properties/steps.ts";
export type { Reconcile } from "./properties/subject.ts";
export { anyClusterIsAnswered } from "./properties/totality.ts";
