import {
  type EpochMillis,
  type JobSet,
  jobName,
  type ReplicatedJob,
  type ReplicatedJobStatus,
  type Unvalidated,
} from "@jobset-ts/api";
import { jobSetReasons } from "@jobset-ts/api/conditions";
import { EXCLUSIVE_TOPOLOGY_KEY, NODE_SELECTOR_STRATEGY_KEY } from "@jobset-ts/api/keys";
import {
  asArray,
  asInteger,
  asRecord,
  asString,
  getAnnotation,
  getControllerOf,
  getName,
  getNamespace,
  getUid,
  isObject,
  type Job,
  type KubernetesObject,
  type Pod,
} from "@jobset-ts/api/kubernetes";
import { NO_QUIRKS, type Quirks } from "@jobset-ts/core";
import { areJobsFoundByOwnerName } from "@jobset-ts/core/child-jobs";
import {
  indexedReplicatedJobs,
  isChildJob,
  jobCount,
  MAX_DESIRED_JOBS,
  placementAnnotations,
} from "@jobset-ts/core/desired";
import { isFinished } from "@jobset-ts/core/policies";
import { addIndex, type ClusterIndex } from "./cluster-facts.ts";
import { type CreationFailure, getCreationFailure, jobCreationErrors } from "./creation-failure.ts";
import { type EventFacts, findLatest } from "./events.ts";
import { getLeaderState, type LeaderState } from "./leader-state.ts";
import {
  comparePods,
  createMemberPod,
  getPlace,
  isBeingDeleted,
  type MemberPod,
  previousAttempts,
} from "./member-pod.ts";
import {
  countPods,
  countWantedPods,
  indexRanges,
  multiplyNumbers,
  type PodNumbers,
} from "./numbers.ts";
import { getSchedulingState, type SchedulingState } from "./scheduling-state.ts";
import { defaultThresholds, type Thresholds } from "./thresholds.ts";

/** A JobSet and the objects that belong to it, as the checks see them. */
export interface JobSetView {
  readonly jobSet: Unvalidated<JobSet>;
  readonly name: string;
  readonly namespace: string;
  readonly now: EpochMillis;
  readonly thresholds: Thresholds;
  readonly facts: ClusterIndex;
  /** In spec order, then those that only Pods name. */
  readonly replicatedJobs: readonly ReplicatedJobView[];
  /** Those of the spec by name. The first of equal names. */
  readonly named: ReadonlyMap<string, ReplicatedJobView>;
  /** The counts in the status, by ReplicatedJob. */
  readonly counts: ReadonlyMap<string, StatusCounts>;
  /** Whether its conditions show that it has finished. */
  readonly isFinished: boolean;
  /** Whether its Jobs and Pods are required: it has neither finished nor is it being deleted. */
  readonly needsJobs: boolean;
  readonly childJobs: readonly Unvalidated<Job>[];
  /** Child Jobs of an earlier restart attempt. */
  readonly previousJobs: readonly Unvalidated<Job>[];
  readonly events: readonly EventFacts[];
  /** Returns the scheduler's result for a Pod without a node. */
  readonly schedulingOf: (pod: MemberPod) => SchedulingState;
}

/** The counts of a ReplicatedJob's started Jobs in the JobSet's status. */
export type StatusCounts = Pick<ReplicatedJobStatus, "ready" | "succeeded" | "failed">;

/** One ReplicatedJob of a JobSet. */
export interface ReplicatedJobView {
  readonly jobSet: JobSetView;
  readonly name: string;
  /** From 0, in spec order. */
  readonly position: number;
  /** Absent if the spec does not name it. */
  readonly spec?: Unvalidated<ReplicatedJob>;
  readonly replicas: number;
  /** By job index. Contains at most {@link MAX_ABSENT_JOBS} absent Jobs, but at least one. */
  readonly jobs: readonly JobView[];
  /** The other absent Jobs. */
  readonly unlisted: UnlistedJobs;
}

/** Absent Jobs that `replicas` requests. They are only counted, so that the cost does not grow with `replicas`. */
export interface UnlistedJobs {
  readonly count: number;
  /** The Pod numbers of all of them. */
  readonly numbers: PodNumbers;
}

/** The maximum number of absent Jobs of a JobSet that a diagnosis reports one by one. */
const MAX_ABSENT_JOBS = 1000;

/** One Job, whether or not it exists. */
export interface JobView {
  readonly replicatedJob: ReplicatedJobView;
  readonly name: string;
  readonly index: number;
  /** The child Job of the current restart attempt. */
  readonly job: Unvalidated<Job> | undefined;
  /** The Job with this name that does not belong to the JobSet. */
  readonly foreign: Unvalidated<Job> | undefined;
  /** Whether the JobSet requires it: its index is below `replicas`, and the JobSet needs Jobs. */
  readonly isDue: boolean;
  /** The topology key of exclusive placement by affinity. Absent without it. */
  readonly topologyKey: string | undefined;
  /** The Pods of the current attempt and of this Job object, by completion index. */
  readonly pods: readonly MemberPod[];
  readonly stray: readonly MemberPod[];
  /** The Pods of an earlier restart attempt. */
  readonly previousPods: readonly MemberPod[];
  readonly numbers: PodNumbers;
  readonly lowestMissingIndex: number | undefined;
  /** The Pods with index 0. */
  readonly leaders: readonly MemberPod[];
  readonly leaderState: LeaderState;
  /** The last Event about a failed Pod creation. Absent if there is none or Events were not read. */
  readonly failedCreation: FailedCreation | undefined;
  /** The last failed creation that is not a denial of a follower. It may concern the leader. */
  readonly rejectedCreation: FailedCreation | undefined;
  /** Whether its Pods refer to a Job that is not in the snapshot. The lists may be from different times. */
  readonly isDangling: boolean;
}

/** A failed Pod creation and its reason. */
export interface FailedCreation {
  readonly event: EventFacts;
  readonly failure: CreationFailure;
}

/** Assigns the Jobs, Pods and Events of a JobSet to its parts. */
export function jobSetView(
  jobSet: Unvalidated<JobSet>,
  facts: ClusterIndex,
  now: EpochMillis,
  thresholds: Thresholds = defaultThresholds,
  quirks: Quirks = NO_QUIRKS,
): JobSetView {
  const { snapshot } = facts;
  const [namespace, name] = [getNamespace(jobSet), getName(jobSet)];
  const isPrevious = previousAttempts(jobSet);
  const jobs = new Map<string, Unvalidated<Job>>();
  const previousJobs: Unvalidated<Job>[] = [];
  // A diagnosis reads each Job by itself, so it needs no `ChildJobs`.
  const childJobs = areJobsFoundByOwnerName(quirks)
    ? snapshot.jobsOfJobSetName(namespace, name)
    : snapshot.childJobs(jobSet);
  for (const job of childJobs) {
    if (isPrevious(job)) previousJobs.push(job);
    else jobs.set(getName(job), job);
  }
  const pods = groupPods(snapshot.podsOfJobSet(namespace, name));
  const scheduling = new Map<MemberPod, SchedulingState>();
  const replicatedJobs: ReplicatedJobView[] = [];
  const hasFinished = isFinished(jobSet);
  const named = new Map<string, ReplicatedJobView>();
  const view: JobSetView = {
    jobSet,
    name,
    namespace,
    now,
    thresholds,
    facts,
    replicatedJobs,
    named,
    counts: statusCounts(jobSet),
    isFinished: hasFinished,
    needsJobs: !hasFinished && !isBeingDeleted(jobSet),
    childJobs,
    previousJobs,
    events: facts.eventsAbout(jobSet, "JobSet"),
    schedulingOf: (pod) => {
      const known = scheduling.get(pod);
      if (known !== undefined) return known;
      const state = getSchedulingState(pod, facts);
      scheduling.set(pod, state);
      return state;
    },
  };
  const source = { view, jobs, pods, isPrevious };
  const reportedJobs = jobsInCreationErrors(view);
  // No controller can create the Jobs of such a JobSet, so one represents all.
  let left = requestsTooManyJobs(jobSet) ? 0 : MAX_ABSENT_JOBS;
  for (const { replicatedJob, name: rjName, replicas } of indexedReplicatedJobs(jobSet)) {
    const placed = pods.get(rjName);
    pods.delete(rjName);
    const stem = jobName(name, rjName, 0).slice(0, -1);
    const known = [
      ...facts.jobIndexes(namespace, stem),
      ...(reportedJobs.get(stem) ?? []),
      ...(placed?.keys() ?? []),
    ];
    const { indexes, absentCount } = listedIndexes(known, replicas, Math.max(1, left));
    left -= absentCount;
    addReplicatedJob(
      replicatedJobs,
      { name: rjName, spec: replicatedJob, indexes, replicas },
      placed,
      source,
    );
  }
  for (const one of replicatedJobs) if (!named.has(one.name)) named.set(one.name, one);
  // Pods of removed ReplicatedJobs, or Pods that a user labeled by hand.
  for (const [rjName, placed] of [...pods]) {
    addReplicatedJob(replicatedJobs, { name: rjName, indexes: [], replicas: 0 }, placed, source);
  }
  return view;
}

/** Reports whether a JobSet requests more Jobs than a controller can create. Then none is created. */
export function requestsTooManyJobs(jobSet: Unvalidated<JobSet>): boolean {
  return jobCount(jobSet) > MAX_DESIRED_JOBS;
}

/** Returns the job indexes to list, ascending: the known ones, and the lowest `most` others below `replicas`. */
function listedIndexes(
  known: readonly number[],
  replicas: number,
  most: number,
): { readonly indexes: readonly number[]; readonly absentCount: number } {
  const listed = new Set(known.filter((index) => index >= 0 && index < replicas));
  let absentCount = 0;
  for (let index = 0; index < replicas && absentCount < most; index++) {
    if (listed.has(index)) continue;
    listed.add(index);
    absentCount += 1;
  }
  return { indexes: [...listed].sort((one, other) => one - other), absentCount };
}

/** Returns the Jobs in Events about failed creations, by name stem and index. */
function jobsInCreationErrors({ events }: JobSetView): ReadonlyMap<string, readonly number[]> {
  const indexes = new Map<string, number[]>();
  for (const { reason, message } of events) {
    if (reason !== jobSetReasons.JobCreationFailed) continue;
    for (const [name] of jobCreationErrors(message)) addIndex(name, indexes);
  }
  return indexes;
}

function statusCounts(jobSet: Unvalidated<JobSet>): ReadonlyMap<string, StatusCounts> {
  const counts = new Map<string, StatusCounts>();
  for (const entry of asArray(jobSet.status?.replicatedJobsStatus).filter(isObject)) {
    counts.set(asString(entry.name), startedCounts(entry));
  }
  return counts;
}

/** Returns the counts of a status entry. An absent or non-integer count is 0. */
export function startedCounts(entry: Unvalidated<ReplicatedJobStatus>): StatusCounts {
  const { ready, succeeded, failed } = entry;
  return {
    ready: asInteger(ready, 0),
    succeeded: asInteger(succeeded, 0),
    failed: asInteger(failed, 0),
  };
}

type PodsByIndex = Map<number, MemberPod[]>;

interface Source {
  readonly view: JobSetView;
  readonly jobs: ReadonlyMap<string, Unvalidated<Job>>;
  readonly isPrevious: (object: Unvalidated<KubernetesObject>) => boolean;
}

function groupPods(pods: readonly Unvalidated<Pod>[]): Map<string, PodsByIndex> {
  const byName = new Map<string, PodsByIndex>();
  for (const pod of pods) {
    const { replicatedJob, jobIndex } = getPlace(pod);
    const byIndex = byName.get(replicatedJob) ?? new Map<number, MemberPod[]>();
    byName.set(replicatedJob, byIndex);
    const list = byIndex.get(jobIndex);
    if (list === undefined) byIndex.set(jobIndex, [createMemberPod(pod)]);
    else list.push(createMemberPod(pod));
  }
  return byName;
}

interface ReplicatedJobFacts {
  readonly name: string;
  readonly spec?: Unvalidated<ReplicatedJob>;
  /** The indexes of the listed Jobs, below `replicas`. */
  readonly indexes: readonly number[];
  readonly replicas: number;
}

function addReplicatedJob(
  to: ReplicatedJobView[],
  { name, spec, indexes, replicas }: ReplicatedJobFacts,
  pods: PodsByIndex | undefined,
  source: Source,
): void {
  const { view } = source;
  const jobs: JobView[] = [];
  const count = Math.max(0, replicas - indexes.length);
  const replicatedJob: ReplicatedJobView = {
    jobSet: view,
    name,
    position: to.length,
    ...(spec !== undefined && { spec }),
    replicas,
    jobs,
    unlisted: { count, numbers: multiplyNumbers(countAbsentJobPods(view, spec), count) },
  };
  to.push(replicatedJob);
  const templateAnnotations = {
    ...asRecord(spec?.template?.spec?.template?.metadata?.annotations),
    ...placementAnnotations(view.jobSet, spec ?? {}),
  };
  for (const index of indexes) {
    jobs.push(jobView(replicatedJob, index, pods?.get(index), templateAnnotations, source));
  }
  const beyond = [...(pods?.keys() ?? [])].filter((index) => index < 0 || index >= replicas);
  for (const index of beyond.sort((one, other) => one - other)) {
    jobs.push(jobView(replicatedJob, index, pods?.get(index), templateAnnotations, source));
  }
}

/** Returns the Pod numbers of a Job that does not exist and has neither Pods nor Events. */
function countAbsentJobPods(
  { facts, needsJobs }: JobSetView,
  spec: Unvalidated<ReplicatedJob> | undefined,
): PodNumbers {
  const counts = countPods([]);
  const none = { stray: [], previousPods: [] };
  if (!facts.wasRead("Job") || !facts.wasRead("Pod")) return createNumbers(counts, none, {});
  const needs = countWantedPods(undefined, spec?.template?.spec, [], counts);
  const { wanted, missing } = needsJobs ? needs : NO_PODS;
  const isUnknown = missing > 0 && !facts.wasRead("Event");
  return createNumbers(counts, none, {
    wanted,
    missing,
    ...(!isUnknown && { blockedFollowers: 0 }),
  });
}

function jobView(
  replicatedJob: ReplicatedJobView,
  index: number,
  placed: readonly MemberPod[] | undefined,
  templateAnnotations: Readonly<Record<string, string>>,
  { view, jobs, isPrevious }: Source,
): JobView {
  const { facts, namespace } = view;
  const name = jobName(view.name, replicatedJob.name, index);
  const job = jobs.get(name);
  const named = job === undefined ? facts.snapshot.job(namespace, name) : undefined;
  const foreign = named === undefined || isChildJob(named, view.jobSet) ? undefined : named;
  const sorted = sortPods(placed ?? [], job, isPrevious);
  const { pods } = sorted;
  const isDue = view.needsJobs && index >= 0 && index < replicatedJob.replicas;
  const annotations = job?.spec?.template?.metadata ?? { annotations: templateAnnotations };
  const topologyKey = getTopologyKey(annotations);
  const isRead = facts.wasRead("Job") && facts.wasRead("Pod");
  // The Job controller creates no Pods of a JobSet that is being deleted.
  const isLeaving = isBeingDeleted(view.jobSet);
  const knowsWanted = isRead && !isLeaving && (job !== undefined || isDue);
  const counts = countPods(pods);
  const needs = countWantedPods(job, replicatedJob.spec?.template?.spec, pods, counts);
  const { wanted, missing, lowestMissingIndex } = knowsWanted ? needs : NO_PODS;
  const failures = job === undefined ? NO_FAILURES : failedCreations(job, facts);
  const leaders = pods.filter(({ isLeader }) => isLeader);
  const hasSucceeded = () =>
    indexRanges(asString(job?.status?.completedIndexes)).some(([first]) => first === 0);
  const blockedCount = blockedFollowers(
    missing,
    lowestMissingIndex,
    failures.failedCreation?.failure,
    facts,
  );
  const numbers = isRead
    ? createNumbers(counts, sorted, { wanted, missing, blockedFollowers: blockedCount })
    : createNumbers(counts, sorted, {});
  // The members are assigned one by one. With many thousands of Jobs, spreading would dominate the cost.
  return {
    replicatedJob,
    name,
    index,
    job,
    foreign,
    isDue,
    topologyKey,
    pods,
    stray: sorted.stray,
    previousPods: sorted.previousPods,
    numbers,
    lowestMissingIndex,
    leaders,
    leaderState: getLeaderState(leaders, hasSucceeded, view.schedulingOf),
    failedCreation: failures.failedCreation,
    rejectedCreation: failures.rejectedCreation,
    isDangling: facts.wasRead("Job") && job === undefined && pods.length > 0,
  };
}

function createNumbers(
  counts: PodNumbers,
  { stray, previousPods }: Pick<JobView, "stray" | "previousPods">,
  needs: { [Need in "wanted" | "missing" | "blockedFollowers"]?: number | undefined },
): PodNumbers {
  const { byPhase, unscheduled, gated, ready, terminating, active } = counts;
  const numbers: { -readonly [Member in keyof PodNumbers]: PodNumbers[Member] } = {
    byPhase,
    unscheduled,
    gated,
    ready,
    terminating,
    active,
    stray: stray.length,
    previous: previousPods.length,
  };
  if (needs.wanted !== undefined) numbers.wanted = needs.wanted;
  if (needs.missing !== undefined) numbers.missing = needs.missing;
  if (needs.blockedFollowers !== undefined) numbers.blockedFollowers = needs.blockedFollowers;
  return numbers;
}

const NO_PODS = { wanted: 0, missing: 0, lowestMissingIndex: undefined } as const;

/**
 * Sorts the Pods of a Job. A Pod whose owner's UID differs from that of the current Job is listed
 * separately.
 */
function sortPods(
  placed: readonly MemberPod[],
  job: Unvalidated<Job> | undefined,
  isPrevious: (object: Unvalidated<KubernetesObject>) => boolean,
): Pick<JobView, "pods" | "stray" | "previousPods"> {
  const pods: MemberPod[] = [];
  const ownerless: MemberPod[] = [];
  const previousPods: MemberPod[] = [];
  const jobUid = job === undefined ? "" : getUid(job);
  for (const member of placed) {
    if (isPrevious(member.pod)) previousPods.push(member);
    else if (jobUid !== "" && asString(getControllerOf(member.pod)?.uid) !== jobUid)
      ownerless.push(member);
    else pods.push(member);
  }
  if (pods.length > 1) pods.sort(comparePods);
  return { pods, stray: ownerless, previousPods };
}

/** Returns the topology key of exclusive placement by affinity from the annotations of Pods. */
export function getTopologyKey(metadata: {
  readonly annotations?: Readonly<Record<string, string>>;
}): string | undefined {
  const isByNodeLabels = getAnnotation({ metadata }, NODE_SELECTOR_STRATEGY_KEY) !== undefined;
  return isByNodeLabels ? undefined : getAnnotation({ metadata }, EXCLUSIVE_TOPOLOGY_KEY);
}

function failedCreations(
  job: Unvalidated<Job>,
  facts: ClusterIndex,
): Pick<JobView, "failedCreation" | "rejectedCreation"> {
  const events = facts.eventsAbout(job, "Job");
  if (events.length === 0) return NO_FAILURES;
  const failed = events.filter(({ reason }) => reason === "FailedCreate");
  const read = new Map(failed.map((event) => [event, getCreationFailure(event.message)]));
  const lastOf = (some: readonly EventFacts[]) => {
    const event = findLatest(some);
    const failure = event && read.get(event);
    return event && failure && { event, failure };
  };
  const isRejection = (event: EventFacts) => read.get(event)?.cause !== "FollowerDenied";
  const [failedCreation, rejectedCreation] = [lastOf(failed), lastOf(failed.filter(isRejection))];
  return { failedCreation, rejectedCreation };
}

const NO_FAILURES = { failedCreation: undefined, rejectedCreation: undefined } as const;

function blockedFollowers(
  missing: number,
  lowestMissingIndex: number | undefined,
  failure: CreationFailure | undefined,
  facts: ClusterIndex,
): number | undefined {
  if (missing === 0) return 0;
  if (!facts.wasRead("Event")) return undefined;
  if (failure?.cause !== "FollowerDenied") return 0;
  return missing - (lowestMissingIndex === 0 ? 1 : 0);
}
