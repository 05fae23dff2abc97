import { jobName, type ReplicatedJob, type Unvalidated } from "@jobset-ts/api";
import { EXCLUSIVE_TOPOLOGY_KEY, NODE_SELECTOR_STRATEGY_KEY } from "@jobset-ts/api/keys";
import {
  asString,
  getAnnotation,
  getControllerOf,
  getUid,
  isBeingDeleted,
  type Job,
  type KubernetesObject,
} from "@jobset-ts/api/kubernetes";
import { isChildJob } from "@jobset-ts/core/desired";
import type { ClusterIndex } from "./cluster-facts.ts";
import { type CreationFailure, getCreationFailure } from "./creation-failure.ts";
import { type EventFacts, findLatest } from "./events.ts";
import type { JobSetView, JobView, ReplicatedJobView } from "./jobset-view.ts";
import { getLeaderState } from "./leader-state.ts";
import { comparePods, type MemberPod } from "./member-pod.ts";
import { countPods, countWantedPods, indexRanges, type PodNumbers } from "./numbers.ts";

/** What the views of Jobs are created from. */
export interface JobSource {
  readonly view: JobSetView;
  readonly jobs: ReadonlyMap<string, Unvalidated<Job>>;
  readonly isPrevious: (object: Unvalidated<KubernetesObject>) => boolean;
}

/** Assigns the Pods and Events of a Job to it. */
export function createJobView(
  replicatedJob: ReplicatedJobView,
  index: number,
  placed: readonly MemberPod[] | undefined,
  templateAnnotations: Readonly<Record<string, string>>,
  { view, jobs, isPrevious }: JobSource,
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
  const blockedCount = countBlockedFollowers(
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

function countBlockedFollowers(
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

/** Returns the Pod numbers of a Job that does not exist and has neither Pods nor Events. */
export function countAbsentJobPods(
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
