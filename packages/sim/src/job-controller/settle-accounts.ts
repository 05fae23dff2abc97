import { formatTime } from "@jobset-ts/api";
import { getUid, type Job, type JobStatus, type Pod } from "@jobset-ts/api/kubernetes";
import type { ServerRejection } from "../api-server/api-request.ts";
import { FAILURE_TARGET, JOB_COMPLETE, JOB_FAILED } from "../api-server/job/batch-names.ts";
import type { Process } from "../kernel/component.ts";
import { withMembers } from "../with-members.ts";
import { foldCounted, hasUncounted } from "./account-pods.ts";
import type { Ending } from "./finishing.ts";
import { removeTracking } from "./manage-pods.ts";
import { isWorthWriting, withCondition, writeStatus } from "./write-status.ts";

/** What a sync has written down and is yet to carry out. */
export interface Unsettled {
  /** As it was written, or as it would be where that would be the start time alone. */
  readonly job: Job;
  /** Whether that took a write, and so its time. */
  readonly isWritten: boolean;
  /** The Pods that may go. */
  readonly released: readonly Pod[];
  /** How the Job ends, once it may. */
  readonly ending?: Ending;
}

type AnyProcess = Process<unknown>;

/**
 * Lets the Pods go that were written down, counts them, and ends the Job where nothing is left of it. The counts are left to
 * the next sync where the Job was written since.
 */
export function settleAccounts(
  process: AnyProcess,
  { job, released, ending }: Unsettled,
): ServerRejection | undefined {
  for (const pod of released) removeTracking(process, pod);
  const current = process.objects.current(job);
  if (current?.metadata.resourceVersion !== job.metadata.resourceVersion) return undefined;
  const gone = new Set(released.map(getUid));
  const counted = foldCounted(job.status ?? {}, (uid) => !gone.has(uid));
  const isEnding = ending !== undefined && mayEnd(counted);
  if (!isEnding && !isWorthWriting(job.status, counted)) return undefined;
  const status = isEnding ? withEnd(process, counted, ending) : counted;
  const reply = writeStatus(process, job, status);
  if (!reply.ok) return reply;
  if (isEnding) reportEnd(process, job, ending);
  return undefined;
}

/** A Job ends only when its last Pod is gone or has ended, and is counted. */
function mayEnd(status: JobStatus): boolean {
  return !hasUncounted(status) && (status.terminating ?? 0) === 0;
}

function withEnd(
  { clock }: AnyProcess,
  status: JobStatus,
  { type, reason, message }: Ending,
): JobStatus {
  const isFailed = type === FAILURE_TARGET;
  const ended = isFailed ? status : withMembers(status, { completionTime: formatTime(clock) });
  const last = isFailed ? JOB_FAILED : JOB_COMPLETE;
  return withCondition(ended, { type: last, status: "True", reason, message }, clock);
}

function reportEnd(process: AnyProcess, about: Job, { type, reason, message }: Ending): void {
  process.report(
    type === FAILURE_TARGET
      ? { about, type: "Warning", reason, message }
      : { about, type: "Normal", reason: "Completed", message: "Job completed" },
  );
}
