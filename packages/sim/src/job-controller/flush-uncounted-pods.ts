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

/** What a sync has written down and is yet to carry out. */
export interface PendingFlush {
  /** As it was written, or as it would be where that would be the start time alone. */
  readonly job: Job;
  /** Whether that took a write, and so its time. */
  readonly isWritten: boolean;
  /** The Pods that may go. */
  readonly podsToRelease: readonly Pod[];
  /** How the Job ends, once it may. */
  readonly ending?: FinishedCondition;
}

type AnyProcess = Process<unknown>;

/**
 * Lets the Pods go that were written down, counts them, and ends the Job where nothing is left of it. The counts are left to
 * the next sync where the Job was written since.
 */
export function flushUncountedPods(
  process: AnyProcess,
  { job, podsToRelease, ending }: PendingFlush,
): ServerRejection | undefined {
  for (const pod of podsToRelease) removeTrackingFinalizer(process, pod);
  const current = process.objects.current(job);
  if (current?.metadata.resourceVersion !== job.metadata.resourceVersion) return undefined;
  const gone = new Set(podsToRelease.map(getUid));
  const counted = countReleasedPods(job.status ?? {}, (uid) => !gone.has(uid));
  const isEnding = ending !== undefined && canFinish(counted);
  if (!isEnding && !needsStatusWrite(job.status, counted)) return undefined;
  const status = isEnding ? withFinishedCondition(process, counted, ending) : counted;
  const reply = writeStatus(process, job, status);
  if (!reply.ok) return reply;
  if (isEnding) reportFinish(process, job, ending);
  return undefined;
}

/** A Job ends only when its last Pod is gone or has ended, and is counted. */
function canFinish(status: JobStatus): boolean {
  return !hasUncountedPods(status) && (status.terminating ?? 0) === 0;
}

function withFinishedCondition(
  { clock }: AnyProcess,
  status: JobStatus,
  { type, reason, message }: FinishedCondition,
): JobStatus {
  const isFailed = type === FAILURE_TARGET;
  const ended = isFailed ? status : withMembers(status, { completionTime: formatTime(clock) });
  const last = isFailed ? JOB_FAILED : JOB_COMPLETE;
  return withCondition(ended, { type: last, status: "True", reason, message }, clock);
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
