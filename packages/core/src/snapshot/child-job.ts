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

/** A child Job, and what every pass over its JobSet reads from it. */
export interface ChildJob {
  readonly job: Unvalidated<Job>;
  /** The number after the last hyphen of its name, or −1 without one. */
  readonly nameIndex: number;
  readonly traits: JobSummary;
}

/** The members of a Job that are equal for most of its siblings. */
export interface JobSummary {
  readonly namespace: string;
  /** The name up to its last hyphen. */
  readonly nameStem: string;
  /** Whether a number follows the last hyphen of the name. */
  readonly hasIndex: boolean;
  /** The label with the name of its ReplicatedJob. */
  readonly replicatedJob: string | undefined;
  /** The label with its restart attempt. Absent if it is missing or not an integer. */
  readonly restartAttempt: number | undefined;
  readonly state: JobState;
  readonly isReady: boolean;
  /** Whether any of its Pods is running or pending. */
  readonly hasActivePods: boolean;
  readonly isSuspended: boolean;
}

/** The state of a Job, whatever its restart attempt. */
export type JobState = "active" | "successful" | "failed";

/**
 * Reads a Job.
 *
 * @param before - the previous Job in a list. It probably has the same traits, which are then shared
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

/** Reports whether every pass treats Jobs with these summaries the same, except for their index. */
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

/** The identity of a Job within a JobSet. */
export interface NamedJob {
  /** The name up to its last hyphen, and the number after it, or −1 without one. */
  readonly nameStem: string;
  readonly nameIndex: number;
  /** The label with the name of its ReplicatedJob. */
  readonly replicatedJob: string | undefined;
}

/** Reads the identity of a Job within a JobSet. */
export function createNamedJob(job: Unvalidated<Job>): NamedJob {
  const name = getName(job);
  const hyphen = name.lastIndexOf("-");
  return {
    nameStem: name.slice(0, Math.max(0, hyphen)),
    nameIndex: indexIn(name, hyphen + 1),
    replicatedJob: getLabel(job, REPLICATED_JOB_NAME_KEY),
  };
}

/** Returns the state of a Job: its first True condition `Complete` or `Failed` decides. */
export function jobState(job: Unvalidated<Job>): JobState {
  for (const condition of asArray(job?.status?.conditions)) {
    if (!isObject(condition) || condition.status !== "True") continue;
    if (condition.type === JOB_CONDITION_COMPLETE) return "successful";
    if (condition.type === JOB_CONDITION_FAILED) return "failed";
  }
  return "active";
}

/**
 * Reports whether an active Job counts as ready: the number of ready and succeeded Pods reaches its parallelism, or its
 * completions if that is less. A Job without Pods is always ready, even while suspended.
 */
export function isReady(job: Unvalidated<Job>): boolean {
  const parallelism = asInteger(job?.spec?.parallelism, 1);
  const expected = Math.min(parallelism, asInteger(job?.spec?.completions, parallelism));
  return asInteger(job?.status?.succeeded, 0) + asInteger(job?.status?.ready, 0) >= expected;
}

/** The longest index that is exact as a number, far above real ones. */
const MAX_INDEX_DIGITS = 15;

/** Returns the number at the end of a text from `start` on, in JSON notation, or −1. */
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
