import fc from "fast-check";
import { clusters, type GeneratedCluster } from "../arbitraries/arbitrary-clusters.ts";
import type { Situation } from "../arbitraries/situations.ts";
import type { CheckOptions } from "./check-controller.ts";
import type { ControllerSubject } from "./controller.ts";
import { createControllerLaws } from "./controller-laws.ts";
import { findViolations } from "./find-violations.ts";
import { formatClusterCase } from "./format-cluster-case.ts";
import type { Laws, LawText } from "./law.ts";
import type { RequestViolation, ViolationCode } from "./violation.ts";

/** A law about a JobSet controller, and how its cases are generated. */
interface ReconcileLawText extends LawText {
  /** The situations of the law. They are generated three times as often as all others together. */
  readonly situations?: readonly Situation[];
  /** Whether other clients have also written to the objects. */
  readonly crowded?: boolean;
}

/** The laws by name. */
const lawTexts = {
  unmanagedJobSetsAreLeftAlone: {
    sentence:
      "The controller sends no request for a JobSet that is being deleted or that another controller manages.",
    defects: ["#561", "#596"],
  },
  finishedJobSetsAreDeletedInTime: {
    sentence: "The controller deletes a finished JobSet when its TTL expires, and not earlier.",
    situations: ["Ends"],
    defects: [],
  },
  finishedStaysFinished: {
    sentence:
      "After a JobSet has finished, the controller creates and changes nothing except the Job counts in the status.",
    situations: ["Ends"],
    defects: ["#168"],
  },
  deletionsWaitForPods: {
    sentence:
      "The controller deletes Jobs with foreground propagation, so that no Pods remain when it recreates the Job.",
    situations: ["Recreations", "Failures"],
    defects: ["#393"],
  },
  jobsAreDeletedWhenDue: {
    sentence:
      "The controller deletes Jobs of earlier attempts and active Jobs of a finished JobSet, and no other Jobs.",
    situations: ["Ends", "Recreations", "Recreations", "SingleRestarts", "Refusals"],
    defects: ["#168", "#1165"],
  },
  jobsWaitForEarlierOnes: {
    sentence:
      "With BlockingRecreate, no Job starts before all Jobs of the previous attempt are gone.",
    situations: ["Recreations"],
    defects: [],
  },
  jobsWaitForDependencies: {
    sentence: "No Job starts before the dependencies of its ReplicatedJob are met.",
    situations: [...Array<Situation>(7).fill("Chains"), "Suspensions"],
    defects: [],
  },
  jobsWaitForStartupOrder: {
    sentence:
      "With the InOrder startup policy, no Job starts before the preceding ReplicatedJobs have started.",
    situations: ["Orders"],
    defects: ["#979"],
  },
  jobsAreCreatedWhenDue: {
    sentence:
      "The controller creates every Job in the spec once its prerequisites are met, and no other Job.",
    situations: ["Chains", "Orders"],
    defects: ["#28", "#1165"],
  },
  requestsAreValid: {
    sentence:
      "If no other client writes, the API server rejects no request: no Job is created twice or changed while it is immutable.",
    situations: ["Startups", "Resumes", "Recreations"],
    defects: ["#28", "#268"],
  },
  createdObjectsBelongToTheJobSet: {
    sentence:
      "Created objects have the JobSet as their controller, except PVCs that are retained after its deletion.",
    situations: ["Startups"],
    defects: ["#87"],
  },
  suspendedJobSetsCreateSuspendedJobs: {
    sentence: "A Job is created suspended if and only if its JobSet is suspended.",
    situations: ["Suspensions"],
    defects: [],
  },
  createdPodsUseTheirService: {
    sentence:
      "If hostnames are enabled, the Pods of a Job have the subdomain of the JobSet's Service.",
    situations: ["Startups"],
    defects: ["#45", "#394"],
  },
  createdJobsMatchTheirPodTemplate: {
    sentence:
      "A created Job has the Pod spec of its ReplicatedJob plus the fields that JobSet adds, and nothing else.",
    situations: ["Startups"],
    defects: [],
  },
  createdObjectsHaveJobSetLabels: {
    sentence:
      "Jobs and their Pods have JobSet's labels and annotations: names, indexes, attempts, counts and keys.",
    situations: ["Startups"],
    defects: ["#211"],
  },
  createdJobsKeepUserLabels: {
    sentence: "Jobs and their Pods have the labels and annotations of the user's templates.",
    situations: ["Startups"],
    defects: [],
  },
  createdJobsMatchTheirTemplate: {
    sentence: "A created Job has the Job spec of its ReplicatedJob, and no status.",
    situations: ["Startups"],
    defects: [],
  },
  servicesAreCreatedWhenDue: {
    sentence:
      "The controller creates the headless Service if hostnames are enabled and it does not exist, and never deletes it.",
    situations: ["Startups", "Startups"],
    defects: ["#87", "#503"],
  },
  fieldsOfOtherClientsAreKept: {
    sentence:
      "A write keeps the fields of other clients: conditions of other types, unknown status fields, labels, annotations, finalizers, owner references and settings of Jobs.",
    situations: ["Suspensions", "Resumes", "Failures", "Startups", "Scaling"],
    crowded: true,
    defects: [],
  },
  servicesOfOthersAreLeftAlone: {
    sentence:
      "The controller neither changes nor deletes a Service that the JobSet does not control, even if the JobSet has the same subdomain.",
    situations: ["SharedServices", "SharedServices"],
    defects: [],
  },
  servicesFindTheJobSetsPods: {
    sentence:
      "The Service is headless, selects the Pods of the JobSet, and publishes their addresses as the spec says.",
    situations: ["Startups"],
    defects: ["#45"],
  },
  claimsAreCreatedWhenDue: {
    sentence:
      "The controller creates each PVC in the spec if it does not exist, and never deletes it.",
    situations: ["Startups"],
    defects: [],
  },
  claimsMatchTheirTemplate: {
    sentence: "A PVC has the spec, labels and annotations of its template.",
    situations: ["Startups"],
    defects: [],
  },
  jobsAreSuspendedAndResumed: {
    sentence:
      "The controller suspends each Job of a suspended JobSet. It resumes Jobs in startup order, and clears the start time of a Job before it resumes the Job.",
    situations: ["Suspensions", "Resumes", "Suspensions"],
    defects: ["#268"],
  },
  resumedJobsFollowTheirTemplate: {
    sentence: "A resumed Job gets the mutable fields of its current template.",
    situations: ["Resumes"],
    defects: ["#586", "#623"],
  },
  elasticJobsFollowTheirTemplate: {
    sentence: "A Job that can be scaled gets the Pod counts of its current template.",
    situations: ["Scaling", "Scaling"],
    defects: [],
  },
  childJobsAreCounted: {
    sentence: "The status counts the Jobs of each ReplicatedJob.",
    situations: ["Startups", "Successes", "Failures"],
    defects: ["#979"],
  },
  singleRestartsAreCounted: {
    sentence:
      "If the failure policy restarts a single Job, that Job is the first failed Job that the rule matches, and its restart is counted.",
    situations: ["SingleRestarts", "SingleRestarts", "SingleRestarts"],
    defects: ["#920", "#1194"],
  },
  restartsAreCounted: {
    sentence:
      "The controller follows the failure policy and counts each restart of the JobSet once, before it acts on the restart.",
    situations: ["Failures", "LastRestarts"],
    defects: ["#1194"],
  },
  restartsCountTowardsTheLimit: {
    sentence:
      "A restart of the JobSet counts towards maxRestarts unless its rule ignores the limit.",
    situations: [...Array<Situation>(5).fill("Failures"), "SingleRestarts"],
    defects: [],
  },
  inPlaceAttemptsAreCounted: {
    sentence:
      "The in-place restart attempts in the status are those that the Pods of the JobSet's own Jobs announce.",
    situations: ["RestartsInPlace", "RestartsInPlace", "RestartsInPlace"],
    defects: [],
  },
  executionsAreCounted: {
    sentence:
      "Executions are counted from the creation of the JobSet, and each restart and each resume increases the count.",
    situations: ["Resumes", "Failures", "Failures", "Startups"],
    defects: [],
  },
  conditionTimesFollowTheStatus: {
    sentence:
      "A condition gets a new transition time when its status changes, and keeps it otherwise.",
    situations: ["Failures", "Resumes"],
    defects: [],
  },
  jobSetsCompleteWhenTheirPolicySays: {
    sentence: "A JobSet completes if and only if its success policy is met.",
    situations: ["Successes"],
    defects: ["#117"],
  },
  jobSetsFailWhenTheirPolicySays: {
    sentence:
      "A JobSet fails if and only if its failure policy says so, and its status shows the terminal state.",
    situations: ["Failures", "LastRestarts", ...Array<Situation>(4).fill("RestartsInPlace")],
    defects: [],
  },
  restartsSetTheirCondition: {
    sentence:
      "RestartingJobSet is True from a restart until all Jobs of the attempt are ready or have succeeded, or the JobSet finishes or is suspended.",
    situations: ["Failures", "Recreations"],
    defects: [],
  },
  conditionsMatchTheState: {
    sentence:
      "The conditions show whether the JobSet is suspended or starting in order, and why, and there is one condition of each type.",
    situations: ["Orders", "Resumes", "Suspensions"],
    defects: [],
  },
  jobSetSpecsAreNotModified: {
    sentence:
      "The controller changes only the status of a JobSet, and labels, annotations and finalizers that it added itself.",
    defects: ["#394"],
  },
  eventTypesAreRight: {
    sentence: "Events about failures have type Warning, and all other Events have type Normal.",
    situations: ["Failures"],
    defects: [],
  },
  eventsDescribeChanges: {
    sentence:
      "An Event reports each condition change, and no Event with a reason of JobSet reports a change that has not happened.",
    situations: ["Failures", "Successes", "Resumes"],
    defects: ["#422"],
  },
  unchangedClustersConverge: {
    sentence: "If nothing else changes the cluster, reconciliation converges after a few passes.",
    defects: ["#927"],
  },
  nothingElseIsChanged: {
    sentence:
      "The controller changes Jobs only as the JobSet requires, and does not change objects of other owners.",
    defects: ["#1165"],
  },
} as const satisfies Readonly<Record<string, ReconcileLawText>>;

/** The name of a law about JobSet controllers. */
export type ReconcileLawName = keyof typeof lawTexts;

/** The violated law of each violation code, if the JobSet is managed and unfinished. See {@link lawForViolation}. */
const lawsByCode: Readonly<Record<ViolationCode, ReconcileLawName>> = {
  Hang: "nothingElseIsChanged",
  NoConvergence: "unchangedClustersConverge",
  EventSubject: "eventsDescribeChanges",
  EventType: "eventTypesAreRight",
  EventReason: "eventsDescribeChanges",
  MissingEvent: "eventsDescribeChanges",
  RejectedRequest: "requestsAreValid",
  OtherClientsMember: "fieldsOfOtherClientsAreKept",
  OtherJobSetsService: "servicesOfOthersAreLeftAlone",
  JobSetDeletion: "finishedJobSetsAreDeletedInTime",
  JobSetMember: "jobSetSpecsAreNotModified",
  JobCreation: "jobsAreCreatedWhenDue",
  JobBeforeEarlierJobs: "jobsWaitForEarlierOnes",
  JobBeforeDependencies: "jobsWaitForDependencies",
  JobBeforeItsTurn: "jobsWaitForStartupOrder",
  JobDeletion: "jobsAreDeletedWhenDue",
  JobPropagationPolicy: "deletionsWaitForPods",
  ServiceExistence: "servicesAreCreatedWhenDue",
  ServiceMember: "servicesFindTheJobSetsPods",
  PersistentVolumeClaimExistence: "claimsAreCreatedWhenDue",
  PersistentVolumeClaimMember: "claimsMatchTheirTemplate",
  PodDeletion: "nothingElseIsChanged",
  DisruptionTargetMember: "nothingElseIsChanged",
  NewOwnerMember: "createdObjectsBelongToTheJobSet",
  NewJobSetKeyMember: "createdObjectsHaveJobSetLabels",
  NewJobSuspendMember: "suspendedJobSetsCreateSuspendedJobs",
  NewJobSubdomainMember: "createdPodsUseTheirService",
  NewJobPodSpecMember: "createdJobsMatchTheirPodTemplate",
  NewJobUserKeyMember: "createdJobsKeepUserLabels",
  NewJobMember: "createdJobsMatchTheirTemplate",
  JobSuspensionMember: "jobsAreSuspendedAndResumed",
  JobTemplateMember: "resumedJobsFollowTheirTemplate",
  JobScaleMember: "elasticJobsFollowTheirTemplate",
  JobCountMember: "childJobsAreCounted",
  JobRestartCountMember: "singleRestartsAreCounted",
  RestartsMember: "restartsAreCounted",
  CountedRestartsMember: "restartsCountTowardsTheLimit",
  InPlaceAttemptMember: "inPlaceAttemptsAreCounted",
  ExecutionAttemptsMember: "executionsAreCounted",
  TransitionTimeMember: "conditionTimesFollowTheStatus",
  CompletedMember: "jobSetsCompleteWhenTheirPolicySays",
  FailedMember: "jobSetsFailWhenTheirPolicySays",
  RestartingMember: "restartsSetTheirCondition",
  StatusMember: "conditionsMatchTheState",
  Other: "nothingElseIsChanged",
};

/** Violations that break the same law before and after the JobSet finishes. All others break `finishedStaysFinished`. */
const codesAfterFinish: ReadonlySet<ViolationCode> = new Set([
  "JobSetDeletion",
  "JobDeletion",
  "JobPropagationPolicy",
  "JobCountMember",
]);

/** Returns the law that a violation breaks. */
export function lawForViolation({ code, stage }: RequestViolation): ReconcileLawName {
  if (stage === "Foreign" || stage === "Gone") return "unmanagedJobSetsAreLeftAlone";
  if (stage === "Finished" && !codesAfterFinish.has(code)) return "finishedStaysFinished";
  return lawsByCode[code];
}

/** Options for the cases and checks of the laws. */
export interface ReconcileLawOptions extends CheckOptions {
  /** Default: any clusters, and more often those in the situations of a law. */
  readonly cases?: ReturnType<typeof clusters>;
}

/**
 * Required and forbidden requests of a JobSet controller. Each law is a property of a {@link ControllerSubject}. The
 * laws check only the requests to the API server. In each case, no other client changes the cluster, and the
 * controller is called until it has nothing left to do.
 */
export const reconcileLaws: Laws<ControllerSubject> = createReconcileLaws();

/** Creates {@link reconcileLaws} with other clusters or check options. */
export function createReconcileLaws(options: ReconcileLawOptions = {}): Laws<ControllerSubject> {
  const { cases, ...judging } = options;
  return createControllerLaws<ReconcileLawName, GeneratedCluster>(lawTexts, {
    generateCases: (name) => {
      const { situations = [], crowded = false }: ReconcileLawText = lawTexts[name];
      return cases ?? clustersIn(situations, crowded);
    },
    lawFor: lawForViolation,
    checkCase: (controller, cluster) => findViolations(controller, cluster, judging),
    shown: formatClusterCase,
  });
}

/** Generates any clusters, and clusters in these situations three times as often. */
function clustersIn(
  situations: readonly Situation[],
  crowded: boolean,
): fc.Arbitrary<GeneratedCluster> {
  return fc.oneof(
    { arbitrary: clusters({ crowded }), weight: 1 },
    ...situations.map((situation) => ({ arbitrary: clusters({ situation, crowded }), weight: 3 })),
  );
}
