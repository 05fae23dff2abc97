import { getRestarts, type JobSet, parseIntegerLabel, type Unvalidated } from "@jobset-ts/api";
import {
  JOB_COMPLETION_INDEX_KEY,
  JOB_INDEX_KEY,
  JOB_RESTART_ATTEMPT_KEY,
  REPLICATED_JOB_NAME_KEY,
  RESTART_ATTEMPT_KEY,
} from "@jobset-ts/api/keys";
import {
  asArray,
  asInteger,
  asString,
  findCondition,
  getAnnotation,
  getLabel,
  getName,
  isBeingDeleted,
  isObject,
  type KubernetesObject,
  type Pod,
} from "@jobset-ts/api/kubernetes";
import { compareBytes } from "@jobset-ts/api/text";
import { isLeaderPod } from "@jobset-ts/core/placement";

/** A Pod with a JobSet's name label, and its frequently used properties. */
export interface MemberPod {
  readonly pod: Unvalidated<Pod>;
  readonly name: string;
  /** A phase of the API, or `Other` for an unrecognized or absent phase. */
  readonly phase: PodPhase;
  /** Empty without a node. */
  readonly nodeName: string;
  readonly isTerminating: boolean;
  /** Neither finished nor being deleted. */
  readonly isActive: boolean;
  readonly isReady: boolean;
  /** Whether it has scheduling gates and no node. */
  readonly isGated: boolean;
  readonly completionIndex: number | undefined;
  readonly isLeader: boolean;
}

/** The phases that are counted separately. */
export type PodPhase = "Pending" | "Running" | "Succeeded" | "Failed" | "Other";

/** Creates the view of a Pod. */
export function createMemberPod(pod: Unvalidated<Pod>): MemberPod {
  const phase = getPhase(asString(pod.status?.phase));
  const nodeName = asString(pod.spec?.nodeName);
  const isTerminating = isBeingDeleted(pod);
  return {
    pod,
    name: getName(pod),
    phase,
    nodeName,
    isTerminating,
    isActive: !isTerminating && phase !== "Succeeded" && phase !== "Failed",
    isReady: findCondition(pod.status?.conditions, "Ready")?.status === "True",
    isGated: nodeName === "" && phase === "Pending" && hasGates(pod),
    completionIndex: getCompletionIndex(pod),
    isLeader: isLeaderPod(pod),
  };
}

function getPhase(phase: string): PodPhase {
  switch (phase) {
    case "Pending":
    case "Running":
    case "Succeeded":
    case "Failed":
      return phase;
    default:
      return "Other";
  }
}

function hasGates(pod: Unvalidated<Pod>): boolean {
  if (asArray(pod.spec?.schedulingGates).length > 0) return true;
  return findCondition(pod.status?.conditions, "PodScheduled")?.reason === "SchedulingGated";
}

function getCompletionIndex(pod: Unvalidated<Pod>): number | undefined {
  const text =
    getAnnotation(pod, JOB_COMPLETION_INDEX_KEY) ?? getLabel(pod, JOB_COMPLETION_INDEX_KEY);
  return text !== undefined && /^\d{1,10}$/.test(text) ? Number(text) : undefined;
}

/** Compares by completion index (Pods without one last), then by name. */
export function comparePods(one: MemberPod, other: MemberPod): number {
  const byIndex = (one.completionIndex ?? NO_INDEX) - (other.completionIndex ?? NO_INDEX);
  return byIndex || compareBytes(one.name, other.name);
}

const NO_INDEX = Number.MAX_SAFE_INTEGER;

/** Returns the ReplicatedJob and job index in the labels of a Pod or Job. Without a valid index it is −1. */
export function getPlace(object: Unvalidated<KubernetesObject>): {
  readonly replicatedJob: string;
  readonly jobIndex: number;
} {
  const index = getLabel(object as LabelledObject, JOB_INDEX_KEY);
  return {
    replicatedJob: getLabel(object as LabelledObject, REPLICATED_JOB_NAME_KEY) ?? "",
    jobIndex: index !== undefined && /^\d{1,10}$/.test(index) ? Number(index) : -1,
  };
}

type LabelledObject = Parameters<typeof getLabel>[0];

/**
 * Reports whether a Pod or Job belongs to an earlier restart attempt of the JobSet or of its Job. Without valid labels
 * it counts as current.
 */
export function previousAttempts(
  jobSet: Unvalidated<JobSet>,
): (object: Unvalidated<KubernetesObject>) => boolean {
  const restarts = getRestarts(jobSet);
  const restartsOfJobs = new Map<string, readonly number[]>();
  for (const entry of asArray(jobSet.status?.replicatedJobsStatus)) {
    const jobRestarts = isObject(entry) ? asArray(entry.jobRestarts) : [];
    if (jobRestarts.length > 0) restartsOfJobs.set(asString(entry.name), jobRestarts);
  }
  return (object) => {
    if (restarts > 0 && getAttempt(object, RESTART_ATTEMPT_KEY) < restarts) return true;
    if (restartsOfJobs.size === 0) return false;
    const { replicatedJob, jobIndex } = getPlace(object);
    const restartsOfJob = asInteger(restartsOfJobs.get(replicatedJob)?.[jobIndex], 0);
    return getAttempt(object, JOB_RESTART_ATTEMPT_KEY) < restartsOfJob;
  };
}

function getAttempt(object: Unvalidated<KubernetesObject>, key: string): number {
  const attempt = parseIntegerLabel(getLabel(object as LabelledObject, key));
  return attempt.ok ? attempt.value : Number.POSITIVE_INFINITY;
}
