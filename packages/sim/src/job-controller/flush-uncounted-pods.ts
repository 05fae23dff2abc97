import { formatTime } from "@jobset-ts/api";
import { getUid, type Job, type JobStatus, type Pod } from "@jobset-ts/api/kubernetes";
import type { ServerRejection } from "../api-server/api-request.ts";
import { FAILURE_TARGET, JOB_COMPLETE, JOB_FAILED } from "../api-server/job/batch-constants.ts";
import type { Process } from "../kernel/component.ts";
import { withMembers } from "../with-members.ts";
import type { FinishedCondition } from "./finished-condition.ts";
import { removeTrackingFinalizer } from "./manage-pods.ts";
import { countReleasedPods, hasUncountedPods } from "./record-finished-pods.ts";
import { needsStatusWrite, withCondition, writeStatus } from "./write-status.ts";

/** Work that a sync has recorded in the status and that starts after the status is stored. */
export interface PendingFlush {
  /** The Job as written, or as it would be written if only its start time changed. */
  readonly job: Job;
  /** Whether the status was written, which takes time. */
  readonly isWritten: boolean;
  /** The Pods whose finalizers can be removed. */
  readonly podsToRelease: readonly Pod[];
  /** The outcome of the Job, once it can finish. */
  readonly finished?: FinishedCondition;
}

type AnyProcess = Process<unknown>;

/**
 * Removes the finalizers of recorded Pods, counts these Pods, and finishes the Job if no Pod is left. If the Job was
 * written meanwhile, the next sync counts them.
 */
export function flushUncountedPods(
  process: AnyProcess,
  { job, podsToRelease, finished }: PendingFlush,
): ServerRejection | undefined {
  for (const pod of podsToRelease) removeTrackingFinalizer(process, pod);
  const current = process.objects.current(job);
  if (current?.metadata.resourceVersion !== job.metadata.resourceVersion) return undefined;
  const removedUids = new Set(podsToRelease.map(getUid));
  const counted = countReleasedPods(job.status ?? {}, (uid) => !removedUids.has(uid));
  const isEnding = finished !== undefined && canFinish(counted);
  if (!isEnding && !needsStatusWrite(job.status, counted)) return undefined;
  const status = isEnding ? withFinishedCondition(process, counted, finished) : counted;
  const reply = writeStatus(process, job, status);
  if (!reply.ok) return reply;
  if (isEnding) reportFinish(process, job, finished);
  return undefined;
}

/** A Job finishes only when every Pod is gone or has finished, and is counted. */
function canFinish(status: JobStatus): boolean {
  return !hasUncountedPods(status) && (status.terminating ?? 0) === 0;
}

function withFinishedCondition(
  { clock }: AnyProcess,
  status: JobStatus,
  { type, reason, message }: FinishedCondition,
): JobStatus {
  const isFailed = type === FAILURE_TARGET;
  const finishedStatus = isFailed
    ? status
    : withMembers(status, { completionTime: formatTime(clock) });
  const last = isFailed ? JOB_FAILED : JOB_COMPLETE;
  return withCondition(finishedStatus, { type: last, status: "True", reason, message }, clock);
}

function reportFinish(
  process: AnyProcess,
  about: Job,
  { type, reason, message }: FinishedCondition,
): void {
  process.report(
    type === FAILURE_TARGET
      ? { about, type: "Warning", reason, message }
      : { about, type: "Normal", reason: "Completed", message: "Job completed" },
  );
}
