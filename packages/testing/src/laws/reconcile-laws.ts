import { type JobSet, resolveFeatureGates } from "@jobset-ts/api";
import { getName, isObject } from "@jobset-ts/api/kubernetes";
import fc from "fast-check";
import { clusters, type GeneratedCluster } from "../arbitraries/arbitrary-clusters.ts";
import type { Situation } from "../arbitraries/situations.ts";
import type { ControllerSubject } from "./controller.ts";
import type { JudgeOptions } from "./judge.ts";
import { judgedLaws } from "./judged-laws.ts";
import type { Laws, LawText } from "./law.ts";
import { findViolations } from "./reconcile-judge.ts";
import { shownParts, tableLines, yamlLines } from "./show.ts";
import type { RequestViolation, ViolationCode } from "./violation.ts";

/** A law about a JobSet controller, and how its cases are generated. */
interface ReconcileLawText extends LawText {
  /** Situations that it is about, and that are drawn three times as often as all others together. */
  readonly situations?: readonly Situation[];
  /** Whether others have written into the objects, too. */
  readonly crowded?: boolean;
}

/** The laws by name. */
const texts = {
  anothersJobSetIsLeftAlone: {
    sentence:
      "Nothing is asked for a JobSet that is being deleted or that another controller manages.",
    defects: ["#561", "#596"],
  },
  finishedJobSetsAreDeletedInTime: {
    sentence: "A finished JobSet is deleted when its time to live is over, and not before.",
    situations: ["Ends"],
    defects: [],
  },
  finishedStaysFinished: {
    sentence:
      "Of a JobSet that has ended nothing is made or changed any more; only how its Jobs stand is counted on.",
    situations: ["Ends"],
    defects: ["#168"],
  },
  deletionsWaitForPods: {
    sentence:
      "A Job is deleted in the foreground, so that its Pods are gone before its successor's come.",
    situations: ["Recreations", "Failures"],
    defects: ["#393"],
  },
  jobsAreDeletedWhenDue: {
    sentence:
      "Jobs of earlier attempts go, and those that run when the JobSet has ended; no other does.",
    situations: ["Ends", "Recreations", "Recreations", "SingleRestarts", "Refusals"],
    defects: ["#168", "#1165"],
  },
  jobsWaitForEarlierOnes: {
    sentence: "Under BlockingRecreate no Job starts before those of the attempt before have gone.",
    situations: ["Recreations"],
    defects: [],
  },
  jobsWaitForWhatTheyDependOn: {
    sentence: "No Job starts before what its ReplicatedJob depends on has come far enough.",
    situations: [...Array<Situation>(7).fill("Chains"), "Suspensions"],
    defects: [],
  },
  jobsWaitForTheirTurn: {
    sentence: "Under startup in order no Job starts before those of the ReplicatedJobs before it.",
    situations: ["Orders"],
    defects: ["#979"],
  },
  jobsAreMadeWhenDue: {
    sentence:
      "Every Job that the spec asks for is made, once what it waits for is there, and no other is.",
    situations: ["Chains", "Orders"],
    defects: ["#28", "#1165"],
  },
  requestsAreNotRefused: {
    sentence:
      "In a cluster where nothing else happens the API server refuses nothing: no Job is made twice, and none is changed while it may not be.",
    situations: ["Startups", "Resumes", "Recreations"],
    defects: ["#28", "#268"],
  },
  madeObjectsBelongToTheJobSet: {
    sentence:
      "What is made for a JobSet has it as its controller, save for claims that are to outlive it.",
    situations: ["Startups"],
    defects: ["#87"],
  },
  jobsOfASuspendedJobSetAreMadeSuspended: {
    sentence: "A Job is made suspended just when its JobSet is.",
    situations: ["Suspensions"],
    defects: [],
  },
  madePodsFindTheirService: {
    sentence:
      "The Pods of a Job have the subdomain of the JobSet's Service where it has host names.",
    situations: ["Startups"],
    defects: ["#45", "#394"],
  },
  madeJobsHoldTheirPodTemplate: {
    sentence:
      "A Job that is made has the Pod spec of its ReplicatedJob, with what JobSet adds to it, and nothing else.",
    situations: ["Startups"],
    defects: [],
  },
  madeObjectsHaveJobSetsKeys: {
    sentence:
      "Jobs and their Pods carry JobSet's labels and annotations: names, indexes, attempts, counts and keys.",
    situations: ["Startups"],
    defects: ["#211"],
  },
  madeJobsKeepTheUsersKeys: {
    sentence:
      "Jobs and their Pods carry the labels and annotations that the user gave their templates.",
    situations: ["Startups"],
    defects: [],
  },
  madeJobsHoldTheirTemplate: {
    sentence: "A Job that is made has the Job spec of its ReplicatedJob, and no status.",
    situations: ["Startups"],
    defects: [],
  },
  servicesAreMadeWhenDue: {
    sentence:
      "The headless Service is made when host names are on and none of its name is there, and stays.",
    situations: ["Startups", "Startups"],
    defects: ["#87", "#503"],
  },
  membersOfOthersAreKept: {
    sentence:
      "A write keeps what other clients have written into the object: conditions of other types, unknown members of the status, labels, annotations, finalizers, owner references, and settings of Jobs.",
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
      "The Service has no address, selects the Pods of the JobSet, and publishes them as the spec says.",
    situations: ["Startups"],
    defects: ["#45"],
  },
  claimsAreMadeWhenDue: {
    sentence: "The volume claims that the spec asks for are made where there are none, and stay.",
    situations: ["Startups"],
    defects: [],
  },
  claimsHoldTheirTemplate: {
    sentence: "A volume claim has the spec, labels and annotations of its template.",
    situations: ["Startups"],
    defects: [],
  },
  jobsAreSuspendedAndResumed: {
    sentence:
      "Each Job of a suspended JobSet is suspended; each of one that runs is resumed when its turn comes, its start time gone first.",
    situations: ["Suspensions", "Resumes", "Suspensions"],
    defects: ["#268"],
  },
  resumedJobsFollowTheirTemplate: {
    sentence: "A Job that is resumed gets what its template says by now, as far as it may change.",
    situations: ["Resumes"],
    defects: ["#586", "#623"],
  },
  elasticJobsFollowTheirTemplate: {
    sentence: "A Job that may be scaled gets the numbers of Pods that its template has by now.",
    situations: ["Scaling", "Scaling"],
    defects: [],
  },
  childrenAreCounted: {
    sentence: "The status counts the Jobs of each ReplicatedJob.",
    situations: ["Startups", "Successes", "Failures"],
    defects: ["#979"],
  },
  singleRestartsAreCounted: {
    sentence:
      "Where the failure policy restarts one Job, it is the first that failed of those that its rule is about, and its restart is counted.",
    situations: ["SingleRestarts", "SingleRestarts", "SingleRestarts"],
    defects: ["#920", "#1194"],
  },
  restartsAreCounted: {
    sentence:
      "The failure policy is followed: a restart of the JobSet is counted once, before anything is done about it.",
    situations: ["Failures", "LastRestarts"],
    defects: ["#1194"],
  },
  restartsCountTowardsTheLimit: {
    sentence:
      "A restart of the JobSet counts towards the limit just when its rule does not ignore it.",
    situations: [...Array<Situation>(5).fill("Failures"), "SingleRestarts"],
    defects: [],
  },
  attemptsInPlaceAreCounted: {
    sentence:
      "The attempts of restarts in place are those that the Pods of the JobSet's own Jobs announce.",
    situations: ["RestartsInPlace", "RestartsInPlace", "RestartsInPlace"],
    defects: [],
  },
  executionsAreCounted: {
    sentence: "Executions are counted from the first on; each restart and each resume begins one.",
    situations: ["Resumes", "Failures", "Failures", "Startups"],
    defects: [],
  },
  conditionTimesFollowTheStatus: {
    sentence: "A condition gets a new time when its status changes, and keeps its own else.",
    situations: ["Failures", "Resumes"],
    defects: [],
  },
  jobSetsCompleteWhenTheirPolicySays: {
    sentence: "A JobSet completes just when its success policy says so.",
    situations: ["Successes"],
    defects: ["#117"],
  },
  jobSetsFailWhenTheirPolicySays: {
    sentence: "A JobSet fails just when its failure policy says so, and shows how it has ended.",
    situations: ["Failures", "LastRestarts", ...Array<Situation>(4).fill("RestartsInPlace")],
    defects: [],
  },
  restartsShowInTheirCondition: {
    sentence:
      "RestartingJobSet is True from a restart on until all Jobs of the attempt are up, or the JobSet ends or is suspended.",
    situations: ["Failures", "Recreations"],
    defects: [],
  },
  conditionsTellTheState: {
    sentence:
      "The conditions say whether the JobSet is suspended or starting up in order, and why; there is one of a type.",
    situations: ["Orders", "Resumes", "Suspensions"],
    defects: [],
  },
  jobSetsStayAsTheyAre: {
    sentence:
      "The controller writes nothing of a JobSet but its status, and labels, annotations and finalizers that it adds itself.",
    defects: ["#394"],
  },
  eventTypesAreRight: {
    sentence: "What goes wrong is told as a Warning, and everything else as Normal.",
    situations: ["Failures"],
    defects: [],
  },
  eventsTellOfChanges: {
    sentence:
      "An Event of JobSet's reason tells of each change of a condition, and of nothing that has not happened.",
    situations: ["Failures", "Successes", "Resumes"],
    defects: ["#422"],
  },
  quietClustersComeToRest: {
    sentence: "In a cluster where nothing else happens there is soon nothing left to do.",
    defects: ["#927"],
  },
  nothingElseIsTouched: {
    sentence: "Of a Job only what is due changes; what is another's is left alone.",
    defects: ["#1165"],
  },
} as const satisfies Readonly<Record<string, ReconcileLawText>>;

/** The name of a law about passes over a JobSet. */
export type ReconcileLawName = keyof typeof texts;

/** The law that a violation breaks, by code, unless the stage of the JobSet decides. */
const lawsByCode: Readonly<Record<ViolationCode, ReconcileLawName>> = {
  Hang: "nothingElseIsTouched",
  NoConvergence: "quietClustersComeToRest",
  EventSubject: "eventsTellOfChanges",
  EventType: "eventTypesAreRight",
  EventReason: "eventsTellOfChanges",
  MissingEvent: "eventsTellOfChanges",
  RejectedRequest: "requestsAreNotRefused",
  OtherClientsMember: "membersOfOthersAreKept",
  OtherJobSetsService: "servicesOfOthersAreLeftAlone",
  JobSetDeletion: "finishedJobSetsAreDeletedInTime",
  JobSetMember: "jobSetsStayAsTheyAre",
  JobCreation: "jobsAreMadeWhenDue",
  JobBeforeEarlierJobs: "jobsWaitForEarlierOnes",
  JobBeforeDependencies: "jobsWaitForWhatTheyDependOn",
  JobBeforeItsTurn: "jobsWaitForTheirTurn",
  JobDeletion: "jobsAreDeletedWhenDue",
  JobPropagationPolicy: "deletionsWaitForPods",
  ServiceExistence: "servicesAreMadeWhenDue",
  ServiceMember: "servicesFindTheJobSetsPods",
  PersistentVolumeClaimExistence: "claimsAreMadeWhenDue",
  PersistentVolumeClaimMember: "claimsHoldTheirTemplate",
  PodDeletion: "nothingElseIsTouched",
  DisruptionTargetMember: "nothingElseIsTouched",
  NewOwnerMember: "madeObjectsBelongToTheJobSet",
  NewJobSetKeyMember: "madeObjectsHaveJobSetsKeys",
  NewJobSuspendMember: "jobsOfASuspendedJobSetAreMadeSuspended",
  NewJobSubdomainMember: "madePodsFindTheirService",
  NewJobPodSpecMember: "madeJobsHoldTheirPodTemplate",
  NewJobUserKeyMember: "madeJobsKeepTheUsersKeys",
  NewJobMember: "madeJobsHoldTheirTemplate",
  JobSuspensionMember: "jobsAreSuspendedAndResumed",
  JobTemplateMember: "resumedJobsFollowTheirTemplate",
  JobScaleMember: "elasticJobsFollowTheirTemplate",
  JobCountMember: "childrenAreCounted",
  JobRestartCountMember: "singleRestartsAreCounted",
  RestartsMember: "restartsAreCounted",
  CountedRestartsMember: "restartsCountTowardsTheLimit",
  InPlaceAttemptMember: "attemptsInPlaceAreCounted",
  ExecutionAttemptsMember: "executionsAreCounted",
  TransitionTimeMember: "conditionTimesFollowTheStatus",
  CompletedMember: "jobSetsCompleteWhenTheirPolicySays",
  FailedMember: "jobSetsFailWhenTheirPolicySays",
  RestartingMember: "restartsShowInTheirCondition",
  StatusMember: "conditionsTellTheState",
  Other: "nothingElseIsTouched",
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
  if (stage === "Foreign" || stage === "Gone") return "anothersJobSetIsLeftAlone";
  if (stage === "Finished" && !codesAfterFinish.has(code)) return "finishedStaysFinished";
  return lawsByCode[code];
}

/** What the laws draw, and how they judge. */
export interface ReconcileLawOptions extends JudgeOptions {
  /** Default: any clusters, and often those in the situations that a law is about. */
  readonly cases?: ReturnType<typeof clusters>;
}

/**
 * What a controller of JobSets has to do and must not do, each law a property of a {@link ControllerSubject}. They look at
 * what it asks of the API server and at nothing that it says of itself. Each case is a cluster in which nothing else
 * happens; the controller is called until it has nothing more to do.
 */
export const reconcileLaws: Laws<ControllerSubject> = createReconcileLaws();

/** {@link reconcileLaws} that draw other clusters, or judge with other patience. */
export function createReconcileLaws(options: ReconcileLawOptions = {}): Laws<ControllerSubject> {
  const { cases, ...judging } = options;
  return judgedLaws<ReconcileLawName, GeneratedCluster>(texts, {
    casesOf: (name) => {
      const { situations = [], crowded = false }: ReconcileLawText = texts[name];
      return cases ?? clustersIn(situations, crowded);
    },
    lawFor: lawForViolation,
    violationsOf: (controller, cluster) => findViolations(controller, cluster, judging),
    shown,
  });
}

/** Any clusters, and those in each of the situations three times as often. */
function clustersIn(
  situations: readonly Situation[],
  crowded: boolean,
): fc.Arbitrary<GeneratedCluster> {
  return fc.oneof(
    { arbitrary: clusters({ crowded }), weight: 1 },
    ...situations.map((situation) => ({ arbitrary: clusters({ situation, crowded }), weight: 3 })),
  );
}

function shown(
  { jobSet, others, context }: GeneratedCluster,
  asked: readonly string[],
  violations: readonly RequestViolation[],
): string {
  const words = violations.map(({ message }) => message);
  // Events are beside the point of most laws.
  const isShown = (line: string) =>
    !/^pass \d+: create Event /.test(line) || violations.some(({ code }) => EVENT_CODES.has(code));
  const requests = asked.filter(isShown);
  const hasTimes = jobSet.spec.ttlSecondsAfterFinished !== undefined || words.some(tellsTimes);
  return shownParts([
    [`JobSet ${getName(jobSet)}`, yamlLines(withoutDefaults(jobSet))],
    ["beside it", tableLines(others.map(createRow))],
    ["feature gates", [...context.features].filter((name) => !defaults.has(name))],
    ["when the first pass begins", hasTimes ? [new Date(context.now).toISOString()] : []],
    [
      "the controller asks",
      some(requests.length === 0 ? ["for nothing that would change anything"] : requests, 6),
    ],
    ["which is wrong", some(words, 3)],
  ]);
}

const EVENT_CODES: ReadonlySet<ViolationCode> = new Set([
  "EventSubject",
  "EventType",
  "EventReason",
  "MissingEvent",
]);

function tellsTimes(words: string): boolean {
  return /\dT\d\d:/.test(words);
}

const defaults: ReadonlySet<string> = resolveFeatureGates({});

function some(lines: readonly string[], most: number): readonly string[] {
  const left = lines.length - most;
  return left > 0 ? [...lines.slice(0, most), `… and ${left} more`] : lines;
}

/** What is of interest in a JobSet: neither its names nor what says nothing. */
function withoutDefaults({ metadata, spec, status }: JobSet): unknown {
  const { deletionTimestamp, finalizers, labels, annotations } = metadata;
  const replicatedJobsStatus = status?.replicatedJobsStatus?.filter(
    ({ name, ...counts }) => told(counts) !== undefined,
  );
  const { startupPolicy, failurePolicy, suspend, ...others } = spec;
  const { restartStrategy, ...policy } = failurePolicy ?? {};
  const left = {
    ...others,
    suspend: suspend || undefined,
    startupPolicy: startupPolicy?.startupPolicyOrder === "InOrder" ? startupPolicy : undefined,
    failurePolicy: failurePolicy && {
      ...policy,
      restartStrategy: restartStrategy === "Recreate" ? undefined : restartStrategy,
    },
  };
  // Why makes no difference, and since when only to a time to live.
  const hasTtl = spec.ttlSecondsAfterFinished !== undefined;
  const conditions = status?.conditions?.map(({ type, status, lastTransitionTime }) => ({
    type,
    status,
    ...(hasTtl && { lastTransitionTime }),
  }));
  return (
    told({
      metadata: { deletionTimestamp, finalizers, labels, annotations },
      spec: left,
      status: { ...status, replicatedJobsStatus, conditions },
    }) ?? {}
  );
}

/** A value without what is absent, empty or zero in it, save where something stands in a list. */
function told(value: unknown, isElement = false): unknown {
  if (Array.isArray(value)) {
    return value.length === 0 ? undefined : value.map((element) => told(element, true));
  }
  if (isObject(value)) {
    const members = Object.entries(value).flatMap(([name, member]) => {
      const left = name === "replicas" || name === "maxRestarts" ? member : told(member);
      return left === undefined ? [] : [[name, left]];
    });
    return members.length > 0 || isElement ? Object.fromEntries(members) : undefined;
  }
  return !isElement && (value === 0 || value === "") ? undefined : value;
}

function createRow(object: GeneratedCluster["others"][number]): readonly string[] {
  const { kind, metadata } = object;
  const { spec, status } = object as {
    spec?: { suspend?: boolean };
    status?: {
      conditions?: readonly { type?: string; status?: string }[];
      ready?: number;
    };
  };
  const { labels = {}, ownerReferences = [], deletionTimestamp } = metadata;
  const attempt = labels["jobset.sigs.k8s.io/restart-attempt"];
  const marks = [
    attempt && `attempt ${attempt}`,
    spec?.suspend && "suspended",
    status?.ready && `${status.ready} ready`,
    ...(status?.conditions ?? []).map((one) =>
      one.status === "False" ? `not ${one.type}` : one.type,
    ),
    deletionTimestamp && "being deleted",
    kind === "Job" && !ownerReferences.some((one) => one.controller) && "nobody's",
  ];
  const { namespace = "default" } = metadata;
  const name = namespace === "default" ? getName(object) : `${namespace}/${getName(object)}`;
  return [kind, name, marks.filter(Boolean).join(", ")];
}
