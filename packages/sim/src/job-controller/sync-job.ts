import { formatTime } from "@jobset-ts/api";
import {
  conditionOf,
  type Job,
  type JobCondition,
  type JobStatus,
  keyOf,
  listOf,
  type Pod,
  uidOf,
} from "@jobset-ts/api/kubernetes";
import type { ApiRefusal } from "../api-server/api-request.ts";
import type { Process } from "../kernel/component.ts";
import { accountPods, foldCounted, hasUncounted, wireStatus } from "./account-pods.ts";
import { type BackOff, backOffAfter } from "./back-off.ts";
import { FAILURE_TARGET, JOB_COMPLETE, JOB_FAILED, JOB_SUSPENDED } from "./batch-names.ts";
import { completionOf, type Ending, endingOf, remainingDeadline } from "./finishing.ts";
import { viewOf } from "./job-view.ts";
import { managePods, removeTracking, stopPods } from "./manage-pods.ts";

/** What a sync leaves behind. */
export interface Synced {
  readonly backOff: BackOff;
  /** What has to be tried again. */
  readonly refusal?: ApiRefusal;
}

type AnyProcess = Process<unknown>;

/** Brings the Pods of a Job that has not ended nearer to what it wants, and writes down how far that has come. */
export function syncJob(process: AnyProcess, stored: Job, backOff: BackOff): Synced {
  const job = started(stored, process);
  const view = viewOf(job, podsOf(process, job));
  const nextBackOff = backOffAfter(backOff, view.newlySucceeded, view.newlyFailed);
  let ending = endingOf(view, process.now);
  const isDeleted = job.metadata.deletionTimestamp !== undefined;
  const isManaged = ending === undefined && !isDeleted;
  const managed = isManaged
    ? managePods(process, view, nextBackOff)
    : stopPods(process, view, ending === undefined ? [] : view.active);
  let status: JobStatus = {
    ...job.status,
    active: managed.activeCount,
    ready: managed.readyCount,
    terminating: managed.terminatingCount,
  };
  if (ending === undefined) {
    ending = completionOf(view, managed.activeCount);
    if (ending === undefined && isManaged) status = withSuspension(process, job, status);
  }
  const accounts = accountPods(view, status, ending);
  const written = writeStatus(process, job, withInterim(process, accounts.status, ending));
  if (!written.ok) return { backOff, refusal: written };
  for (const pod of accounts.released) removeTracking(process, pod);
  const released = new Set(accounts.released.map(uidOf));
  const counted = foldCounted(written.status, (uid) => !released.has(uid));
  const isEnded = ending !== undefined && !accounts.isFull && mayEnd(counted);
  const last = isEnded ? withEnd(process, counted, ending as Ending) : counted;
  const settled = writeStatus(process, job, last);
  if (!settled.ok) return { backOff: nextBackOff, refusal: settled };
  if (isEnded) reportEnd(process, job, ending as Ending);
  const remaining = isEnded ? undefined : remainingDeadline({ ...job, status: last }, process.now);
  if (remaining !== undefined && remaining > 0) process.wake(keyOf(job), remaining);
  return { backOff: nextBackOff, ...(managed.refusal && { refusal: managed.refusal }) };
}

/** A Job that begins with this sync, unless it has begun or is suspended. */
function started(job: Job, { now }: AnyProcess): Job {
  if (job.status?.startTime !== undefined || job.spec.suspend) return job;
  return { ...job, status: { ...job.status, startTime: formatTime(now) } };
}

function podsOf({ objects }: AnyProcess, job: Job): readonly Pod[] {
  return objects
    .ownedBy(uidOf(job))
    .filter(({ kind }) => kind === "Pod") as readonly unknown[] as readonly Pod[];
}

/** A Job that was told to pause says that it has; one that was told to go on begins anew. */
function withSuspension(process: AnyProcess, job: Job, status: JobStatus): JobStatus {
  const before = conditionOf(status.conditions, JOB_SUSPENDED)?.status;
  if (job.spec.suspend) {
    if (before === "True") return status;
    process.report({ about: job, type: "Normal", reason: "Suspended", message: "Job suspended" });
    const { startTime: _, ...members } = status;
    return withCondition(process, members, {
      type: JOB_SUSPENDED,
      status: "True",
      reason: "JobSuspended",
      message: "Job suspended",
    });
  }
  if (before !== "True") return status;
  process.report({ about: job, type: "Normal", reason: "Resumed", message: "Job resumed" });
  const resumed = { ...status, startTime: formatTime(process.now) };
  return withCondition(process, resumed, {
    type: JOB_SUSPENDED,
    status: "False",
    reason: "JobResumed",
    message: "Job resumed",
  });
}

function withInterim(
  process: AnyProcess,
  status: JobStatus,
  ending: Ending | undefined,
): JobStatus {
  if (ending === undefined || conditionOf(status.conditions, ending.type)) return status;
  return withCondition(process, status, { ...ending, status: "True" });
}

/** A Job ends only when its last Pod is gone or has ended, and is counted. */
function mayEnd(status: JobStatus): boolean {
  return !hasUncounted(status) && (status.terminating ?? 0) === 0;
}

function withEnd(
  process: AnyProcess,
  status: JobStatus,
  { type, reason, message }: Ending,
): JobStatus {
  const isFailed = type === FAILURE_TARGET;
  const ended = isFailed ? status : { ...status, completionTime: formatTime(process.now) };
  const last = isFailed ? JOB_FAILED : JOB_COMPLETE;
  return withCondition(process, ended, { type: last, status: "True", reason, message });
}

function reportEnd(process: AnyProcess, about: Job, { type, reason, message }: Ending): void {
  process.report(
    type === FAILURE_TARGET
      ? { about, type: "Warning", reason, message }
      : { about, type: "Normal", reason: "Completed", message: "Job completed" },
  );
}

function withCondition(
  { now }: AnyProcess,
  status: JobStatus,
  condition: Omit<JobCondition, "lastProbeTime" | "lastTransitionTime">,
): JobStatus {
  const made = {
    ...condition,
    lastProbeTime: formatTime(now),
    lastTransitionTime: formatTime(now),
  } as JobCondition;
  const conditions = listOf(status.conditions);
  const isKnown = conditions.some(({ type }) => type === condition.type);
  return {
    ...status,
    conditions: isKnown
      ? conditions.map((one) => (one.type === condition.type ? made : one))
      : [...conditions, made],
  };
}

type Written = { readonly ok: true; readonly status: JobStatus } | ApiRefusal;

/** Writes a status; the server takes no notice of one that is there already. */
function writeStatus(process: AnyProcess, job: Job, status: JobStatus): Written {
  const { resourceVersion: _, ...metadata } = job.metadata;
  const object = { ...job, metadata, status: wireStatus(status) };
  const reply = process.request({ verb: "update", object, subresource: "status" });
  return reply.ok ? { ok: true, status } : reply;
}
