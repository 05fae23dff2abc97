import { formatTime } from "@jobset-ts/api";
import {
  findCondition,
  type Job,
  type JobStatus,
  namespacedName,
  type Pod,
} from "@jobset-ts/api/kubernetes";
import type { ServerRejection } from "../api-server/api-request.ts";
import { JOB_SUSPENDED } from "../api-server/job/batch-constants.ts";
import type { KubernetesMinor } from "../api-server/kubernetes-minor.ts";
import type { Process } from "../kernel/component.ts";
import { withMembers } from "../with-members.ts";
import { type BackOff, updateBackOff } from "./back-off.ts";
import {
  type FinishedCondition,
  findCompletion,
  findFinishedCondition,
  getRemainingDeadline,
} from "./finished-condition.ts";
import type { PendingFlush } from "./flush-uncounted-pods.ts";
import { createView } from "./job-view.ts";
import { managePods, stopPods } from "./manage-pods.ts";
import { recordFinishedPods } from "./record-finished-pods.ts";
import { needsStatusWrite, withCondition, writeStatus } from "./write-status.ts";

/** The result of a sync. */
export interface SyncResult {
  readonly backOff: BackOff;
  /** The error that the controller has to retry. */
  readonly rejection?: ServerRejection;
  readonly pendingFlush?: PendingFlush;
}

/** A Job with its Pods, in the controller's view. */
export interface ObservedJob {
  readonly job: Job;
  readonly pods: readonly Pod[];
  /** Whether created or deleted Pods are not in the cache yet. Then no Pods are created. */
  readonly isExpecting: boolean;
}

type AnyProcess = Process<unknown>;

/** Reconciles the Pods of an unfinished Job and records the progress in its status. */
export function syncJob(
  process: AnyProcess,
  { job: stored, pods, isExpecting }: ObservedJob,
  backOff: BackOff,
  kubernetes: KubernetesMinor,
): SyncResult {
  const job = withStartTime(stored, process);
  const view = createView(job, pods);
  const nextBackOff = updateBackOff(backOff, view.newlySucceeded, view.newlyFailed);
  let finished = findFinishedCondition(view, process.clock);
  const isDeleted = job.metadata.deletionTimestamp !== undefined;
  const isManaged = finished === undefined && !isDeleted && !isExpecting;
  const managed = isManaged
    ? managePods(process, view, nextBackOff)
    : stopPods(process, view, finished === undefined ? [] : view.active);
  let status = withMembers<JobStatus>(job.status ?? {}, {
    active: managed.activeCount,
    ready: managed.readyCount,
    terminating: managed.terminatingCount,
  });
  if (finished === undefined) {
    finished = findCompletion(view, managed.activeCount);
    if (finished === undefined && isManaged) {
      status = withSuspension(process, job, status, kubernetes);
    }
    // The cache may not have all Pods yet.
  } else if (isExpecting) finished = undefined;
  const recorded = recordFinishedPods(view, status, finished);
  const nextStatus = withInterimCondition(process, recorded.status, finished);
  const needsWrite = needsStatusWrite(stored.status, nextStatus);
  const written = needsWrite ? writeStatus(process, job, nextStatus) : undefined;
  if (written?.ok === false) return { backOff, rejection: written };
  // The next sync sets a start time again that is not stored, so no deadline depends on it.
  if (needsWrite || stored.status?.startTime !== undefined) {
    const remaining = getRemainingDeadline({ spec: job.spec, status }, process.clock);
    if (remaining !== undefined && remaining > 0) process.wake(namespacedName(job), remaining);
  }
  const rejected = managed.rejection && { rejection: managed.rejection };
  const { podsToRelease, isFull } = recorded;
  if (podsToRelease.length === 0 && finished === undefined)
    return { backOff: nextBackOff, ...rejected };
  const current = (written?.object as Job | undefined) ?? withMembers(job, { status: nextStatus });
  return {
    backOff: nextBackOff,
    ...rejected,
    pendingFlush: {
      job: current,
      isWritten: current.metadata.resourceVersion !== stored.metadata.resourceVersion,
      podsToRelease,
      ...(!isFull && finished !== undefined && { finished }),
    },
  };
}

/** Returns the Job with its start time, unless it has one or is suspended. */
function withStartTime(job: Job, { clock }: AnyProcess): Job {
  if (job.status?.startTime !== undefined || job.spec.suspend) return job;
  return withMembers(job, {
    status: withMembers<JobStatus>(job.status ?? {}, { startTime: formatTime(clock) }),
  });
}

/** Sets the condition of a suspended Job, and restarts a resumed one. */
function withSuspension(
  process: AnyProcess,
  job: Job,
  status: JobStatus,
  kubernetes: KubernetesMinor,
): JobStatus {
  const before = findCondition(status.conditions, JOB_SUSPENDED)?.status;
  if (job.spec.suspend) {
    if (before === "True") return status;
    process.report({ about: job, type: "Normal", reason: "Suspended", message: "Job suspended" });
    const { startTime: _, ...members } = status;
    return withCondition(
      kubernetes === "1.35" ? status : members,
      {
        type: JOB_SUSPENDED,
        status: "True",
        reason: "JobSuspended",
        message: "Job suspended",
      },
      process.clock,
    );
  }
  if (before !== "True") return status;
  process.report({ about: job, type: "Normal", reason: "Resumed", message: "Job resumed" });
  const resumed = { ...status, startTime: formatTime(process.clock) };
  return withCondition(
    resumed,
    {
      type: JOB_SUSPENDED,
      status: "False",
      reason: "JobResumed",
      message: "Job resumed",
    },
    process.clock,
  );
}

function withInterimCondition(
  process: AnyProcess,
  status: JobStatus,
  finished: FinishedCondition | undefined,
): JobStatus {
  if (finished === undefined || findCondition(status.conditions, finished.type)) return status;
  const { type, reason, message } = finished;
  return withCondition(status, { type, reason, message, status: "True" }, process.clock);
}
