import { parseIntegerLabel, type Unvalidated } from "@jobset-ts/api";
import { JOB_CONDITION_COMPLETE, JOB_CONDITION_FAILED } from "@jobset-ts/api/conditions";
import { REPLICATED_JOB_NAME_KEY, RESTART_ATTEMPT_KEY } from "@jobset-ts/api/keys";
import type { Job } from "@jobset-ts/api/kubernetes";
import {
  asArray,
  asInteger,
  getLabel,
  getName,
  getNamespace,
  isObject,
  isSuspended,
} from "../jobset-members.ts";

/** A child Job, and what every pass over its JobSet reads of it. */
export interface ChildJob {
  readonly job: Unvalidated<Job>;
  /** The number behind the last hyphen of its name; −1 where a Job of JobSet's has no such name. */
  readonly nameIndex: number;
  readonly traits: JobSummary;
}

/** What is read of a Job and is the same for most of its siblings. */
export interface JobSummary {
  readonly namespace: string;
  /** The name up to its last hyphen. */
  readonly nameStem: string;
  /** Whether a number is behind that hyphen. */
  readonly hasIndex: boolean;
  /** The label with the name of its ReplicatedJob; absent when it has none. */
  readonly replicatedJob: string | undefined;
  /** The label with its restart attempt; absent when it has none that is an integer. */
  readonly restartAttempt: number | undefined;
  readonly state: JobState;
  readonly isReady: boolean;
  /** Whether any of its Pods runs or waits to. */
  readonly hasActivePods: boolean;
  readonly isSuspended: boolean;
}

/** How a Job stands, whatever its restart attempt. */
export type JobState = "active" | "successful" | "failed";

/**
 * Reads a Job.
 *
 * @param before - the Job before it in a list, most likely of the same traits, which are shared then
 */
export function createChildJob(job: Unvalidated<Job>, before?: ChildJob): ChildJob {
  const { nameStem, nameIndex, replicatedJob } = createNamedJob(job);
  const restartAttempt = parseIntegerLabel(getLabel(job, RESTART_ATTEMPT_KEY));
  const traits = {
    namespace: getNamespace(job),
    nameStem,
    hasIndex: nameIndex >= 0,
    replicatedJob,
    restartAttempt: restartAttempt.ok ? restartAttempt.value : undefined,
    state: jobState(job),
    isReady: isReady(job),
    hasActivePods: asInteger(job?.status?.active, 0) > 0,
    isSuspended: isSuspended(job),
  };
  const shared = before !== undefined && sameTraits(before.traits, traits);
  return { job, nameIndex, traits: shared ? before.traits : traits };
}

/** Reports whether no pass would treat two Jobs of these traits differently but for their index. */
export function sameTraits(one: JobSummary, other: JobSummary): boolean {
  return (
    one === other ||
    (one.nameStem === other.nameStem &&
      one.hasIndex === other.hasIndex &&
      one.state === other.state &&
      one.isReady === other.isReady &&
      one.hasActivePods === other.hasActivePods &&
      one.isSuspended === other.isSuspended &&
      one.restartAttempt === other.restartAttempt &&
      one.replicatedJob === other.replicatedJob &&
      one.namespace === other.namespace)
  );
}

/** What names a Job among those of a JobSet. */
export interface NamedJob {
  /** The name up to its last hyphen, and the number behind it; −1 where there is none. */
  readonly nameStem: string;
  readonly nameIndex: number;
  /** The label with the name of its ReplicatedJob; absent when it has none. */
  readonly replicatedJob: string | undefined;
}

/** Reads what names a Job among those of a JobSet. */
export function createNamedJob(job: Unvalidated<Job>): NamedJob {
  const name = getName(job);
  const hyphen = name.lastIndexOf("-");
  return {
    nameStem: name.slice(0, Math.max(0, hyphen)),
    nameIndex: indexIn(name, hyphen + 1),
    replicatedJob: getLabel(job, REPLICATED_JOB_NAME_KEY),
  };
}

/** How a Job stands: its first True condition `Complete` or `Failed` decides. */
export function jobState(job: Unvalidated<Job>): JobState {
  for (const condition of asArray(job?.status?.conditions)) {
    if (!isObject(condition) || condition.status !== "True") continue;
    if (condition.type === JOB_CONDITION_COMPLETE) return "successful";
    if (condition.type === JOB_CONDITION_FAILED) return "failed";
  }
  return "active";
}

/**
 * Reports whether an active Job counts as ready: as many Pods are ready or have succeeded as run at a time, or as have
 * to succeed when that is fewer. A Job that needs no Pods is always ready, even while suspended.
 */
export function isReady(job: Unvalidated<Job>): boolean {
  const parallelism = asInteger(job?.spec?.parallelism, 1);
  const expected = Math.min(parallelism, asInteger(job?.spec?.completions, parallelism));
  return asInteger(job?.status?.succeeded, 0) + asInteger(job?.status?.ready, 0) >= expected;
}

/** The longest index that is exact as a number, and far beyond any that there is. */
const MAX_INDEX_DIGITS = 15;

/** Returns the number that a text ends in from `start` on, written as JSON writes it; else −1. */
function indexIn(text: string, start: number): number {
  const digits = text.length - start;
  if (start === 0 || digits === 0 || digits > MAX_INDEX_DIGITS) return -1;
  if (digits > 1 && text.charCodeAt(start) === ZERO) return -1;
  let index = 0;
  for (let at = start; at < text.length; at++) {
    const digit = text.charCodeAt(at) - ZERO;
    if (digit < 0 || digit > 9) return -1;
    index = 10 * index + digit;
  }
  return index;
}

const ZERO = 48;
