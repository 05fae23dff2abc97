import { type JobSet, type Observed, parseIntegerLabel, restartsOf } from "@jobset-ts/api";
import {
  JOB_COMPLETION_INDEX_KEY,
  JOB_INDEX_KEY,
  JOB_RESTART_ATTEMPT_KEY,
  REPLICATED_JOB_NAME_KEY,
  RESTART_ATTEMPT_KEY,
} from "@jobset-ts/api/keys";
import {
  annotationOf,
  conditionOf,
  integerOf,
  isObject,
  type KubernetesObject,
  labelOf,
  listOf,
  nameOf,
  type Pod,
  textOf,
} from "@jobset-ts/api/kubernetes";
import { compareBytes } from "@jobset-ts/api/text";
import { isLeaderPod } from "@jobset-ts/core/placement";

/** A Pod with a JobSet's name as its label, and what is read of it again and again. */
export interface MemberPod {
  readonly pod: Observed<Pod>;
  readonly name: string;
  /** A word of the API's, or `Other` for any other and none. */
  readonly phase: PodPhase;
  /** Empty while it is on no node. */
  readonly nodeName: string;
  readonly isTerminating: boolean;
  /** Neither ended nor being deleted. */
  readonly isActive: boolean;
  readonly isReady: boolean;
  /** Whether it waits for scheduling gates, and is on no node. */
  readonly isGated: boolean;
  readonly completionIndex: number | undefined;
  readonly isLeader: boolean;
}

/** The phases that count apart. */
export type PodPhase = "Pending" | "Running" | "Succeeded" | "Failed" | "Other";

/** Reads a Pod. */
export function memberPodOf(pod: Observed<Pod>): MemberPod {
  const phase = phaseOf(textOf(pod.status?.phase));
  const nodeName = textOf(pod.spec?.nodeName);
  const isTerminating = isBeingDeleted(pod);
  return {
    pod,
    name: nameOf(pod),
    phase,
    nodeName,
    isTerminating,
    isActive: !isTerminating && phase !== "Succeeded" && phase !== "Failed",
    isReady: conditionOf(pod.status?.conditions, "Ready")?.status === "True",
    isGated: nodeName === "" && phase === "Pending" && hasGates(pod),
    completionIndex: completionIndexOf(pod),
    isLeader: isLeaderPod(pod),
  };
}

/** Whether deletion of an object was asked for. */
export function isBeingDeleted(object: Observed<KubernetesObject>): boolean {
  return (object.metadata?.deletionTimestamp ?? undefined) !== undefined;
}

function phaseOf(phase: string): PodPhase {
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

function hasGates(pod: Observed<Pod>): boolean {
  if (listOf(pod.spec?.schedulingGates).length > 0) return true;
  return conditionOf(pod.status?.conditions, "PodScheduled")?.reason === "SchedulingGated";
}

function completionIndexOf(pod: Observed<Pod>): number | undefined {
  const text =
    annotationOf(pod, JOB_COMPLETION_INDEX_KEY) ?? labelOf(pod, JOB_COMPLETION_INDEX_KEY);
  return text !== undefined && /^\d{1,10}$/.test(text) ? Number(text) : undefined;
}

/** By completion index, those without one last, then by name. */
export function comparePods(one: MemberPod, other: MemberPod): number {
  const byIndex = (one.completionIndex ?? NO_INDEX) - (other.completionIndex ?? NO_INDEX);
  return byIndex || compareBytes(one.name, other.name);
}

const NO_INDEX = Number.MAX_SAFE_INTEGER;

/** The ReplicatedJob and the job index that the labels of a Pod or Job name; −1 where there is no such index. */
export function placeOf(object: Observed<KubernetesObject>): {
  readonly replicatedJob: string;
  readonly jobIndex: number;
} {
  const index = labelOf(object as LabelledObject, JOB_INDEX_KEY);
  return {
    replicatedJob: labelOf(object as LabelledObject, REPLICATED_JOB_NAME_KEY) ?? "",
    jobIndex: index !== undefined && /^\d{1,10}$/.test(index) ? Number(index) : -1,
  };
}

type LabelledObject = Parameters<typeof labelOf>[0];

/**
 * Whether a Pod or Job is of an earlier restart attempt than the JobSet's status names: of the whole JobSet, or of its
 * Job alone. One whose labels cannot be read is of the current one.
 */
export function previousAttempts(
  jobSet: Observed<JobSet>,
): (object: Observed<KubernetesObject>) => boolean {
  const restarts = restartsOf(jobSet);
  const restartsOfJobs = new Map<string, readonly number[]>();
  for (const entry of listOf(jobSet.status?.replicatedJobsStatus)) {
    const jobRestarts = isObject(entry) ? listOf(entry.jobRestarts) : [];
    if (jobRestarts.length > 0) restartsOfJobs.set(textOf(entry.name), jobRestarts);
  }
  return (object) => {
    if (restarts > 0 && attemptOf(object, RESTART_ATTEMPT_KEY) < restarts) return true;
    if (restartsOfJobs.size === 0) return false;
    const { replicatedJob, jobIndex } = placeOf(object);
    const restartsOfJob = integerOf(restartsOfJobs.get(replicatedJob)?.[jobIndex], 0);
    return attemptOf(object, JOB_RESTART_ATTEMPT_KEY) < restartsOfJob;
  };
}

function attemptOf(object: Observed<KubernetesObject>, key: string): number {
  const attempt = parseIntegerLabel(labelOf(object as LabelledObject, key));
  return attempt.ok ? attempt.value : Number.POSITIVE_INFINITY;
}
