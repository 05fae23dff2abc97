import {
  type EpochMillis,
  type JobSet,
  jobName,
  type ReplicatedJob,
  type ReplicatedJobStatus,
  type Unvalidated,
} from "@jobset-ts/api";
import { jobSetReasons } from "@jobset-ts/api/conditions";
import {
  asArray,
  asInteger,
  asRecord,
  asString,
  getName,
  getNamespace,
  isBeingDeleted,
  isObject,
  type Job,
  type Pod,
} from "@jobset-ts/api/kubernetes";
import { NO_QUIRKS, type Quirks } from "@jobset-ts/core";
import { areJobsFoundByOwnerName } from "@jobset-ts/core/child-jobs";
import {
  indexedReplicatedJobs,
  jobCount,
  MAX_DESIRED_JOBS,
  placementAnnotations,
} from "@jobset-ts/core/desired";
import { isFinished } from "@jobset-ts/core/policies";
import { addIndex, type ClusterIndex } from "./cluster-facts.ts";
import { countAbsentJobPods, createJobView, type JobSource } from "./create-job-view.ts";
import { jobCreationErrors } from "./creation-failure.ts";
import type { JobSetView, JobView, ReplicatedJobView, StatusCounts } from "./jobset-view.ts";
import { createMemberPod, getPlace, type MemberPod, previousAttempts } from "./member-pod.ts";
import { memoizeByObject } from "./memoize.ts";
import { multiplyNumbers } from "./numbers.ts";
import { getSchedulingState } from "./scheduling-state.ts";
import { defaultThresholds, type Thresholds } from "./thresholds.ts";

/** Assigns the Jobs, Pods and Events of a JobSet to its parts. */
export function createJobSetView(
  jobSet: Unvalidated<JobSet>,
  facts: ClusterIndex,
  now: EpochMillis,
  thresholds: Thresholds = defaultThresholds,
  quirks: Quirks = NO_QUIRKS,
): JobSetView {
  const isPrevious = previousAttempts(jobSet);
  const childJobs = listChildJobs(jobSet, facts, quirks);
  const jobs = new Map<string, Unvalidated<Job>>();
  const previousJobs: Unvalidated<Job>[] = [];
  for (const job of childJobs) {
    if (isPrevious(job)) previousJobs.push(job);
    else jobs.set(getName(job), job);
  }
  const replicatedJobs: ReplicatedJobView[] = [];
  const named = new Map<string, ReplicatedJobView>();
  const hasFinished = isFinished(jobSet);
  const view: JobSetView = {
    jobSet,
    name: getName(jobSet),
    namespace: getNamespace(jobSet),
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
    schedulingOf: memoizeByObject((pod: MemberPod) => getSchedulingState(pod, facts)),
  };
  addReplicatedJobs(replicatedJobs, named, { view, jobs, isPrevious });
  return view;
}

/** A diagnosis reads each Job by itself, so it needs no `ChildJobs`. */
function listChildJobs(
  jobSet: Unvalidated<JobSet>,
  { snapshot }: ClusterIndex,
  quirks: Quirks,
): readonly Unvalidated<Job>[] {
  return areJobsFoundByOwnerName(quirks)
    ? snapshot.jobsOfJobSetName(getNamespace(jobSet), getName(jobSet))
    : snapshot.childJobs(jobSet);
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

/** Adds the ReplicatedJobs of the spec, then those that only Pods name. */
function addReplicatedJobs(
  to: ReplicatedJobView[],
  named: Map<string, ReplicatedJobView>,
  source: JobSource,
): void {
  const { jobSet, facts, namespace, name: jobSetName } = source.view;
  const pods = groupPods(facts.snapshot.podsOfJobSet(namespace, jobSetName));
  const reportedJobs = jobsInCreationErrors(source.view);
  // No controller can create the Jobs of such a JobSet, so one represents all.
  let left = requestsTooManyJobs(jobSet) ? 0 : MAX_ABSENT_JOBS;
  for (const { replicatedJob: spec, name, replicas } of indexedReplicatedJobs(jobSet)) {
    const placed = pods.get(name);
    pods.delete(name);
    const stem = jobName(jobSetName, name, 0).slice(0, -1);
    const known = [
      ...facts.jobIndexes(namespace, stem),
      ...(reportedJobs.get(stem) ?? []),
      ...(placed?.keys() ?? []),
    ];
    const { indexes, absentCount } = listedIndexes(known, replicas, Math.max(1, left));
    left -= absentCount;
    addReplicatedJob(to, { name, spec, indexes, replicas }, placed, source);
  }
  for (const one of to) if (!named.has(one.name)) named.set(one.name, one);
  // Pods of removed ReplicatedJobs, or Pods that a user labeled by hand.
  for (const [name, placed] of [...pods]) {
    addReplicatedJob(to, { name, indexes: [], replicas: 0 }, placed, source);
  }
}

/** The maximum number of absent Jobs of a JobSet that a diagnosis reports one by one. */
const MAX_ABSENT_JOBS = 1000;

type PodsByIndex = Map<number, MemberPod[]>;

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

/** Returns the Jobs in Events about failed creations, by name stem and index. */
function jobsInCreationErrors({ events }: JobSetView): ReadonlyMap<string, readonly number[]> {
  const indexes = new Map<string, number[]>();
  for (const { reason, message } of events) {
    if (reason !== jobSetReasons.JobCreationFailed) continue;
    for (const [name] of jobCreationErrors(message)) addIndex(name, indexes);
  }
  return indexes;
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
  source: JobSource,
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
    jobs.push(createJobView(replicatedJob, index, pods?.get(index), templateAnnotations, source));
  }
  const beyond = [...(pods?.keys() ?? [])].filter((index) => index < 0 || index >= replicas);
  for (const index of beyond.sort((one, other) => one - other)) {
    jobs.push(createJobView(replicatedJob, index, pods?.get(index), templateAnnotations, source));
  }
}
