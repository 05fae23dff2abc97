import { type EpochMillis, formatTime } from "@jobset-ts/api";
import {
  asArray,
  isEqualJson,
  type Job,
  type JobCondition,
  type JobStatus,
} from "@jobset-ts/api/kubernetes";
import type { ServerReply } from "../api-server/api-request.ts";
import type { Process } from "../kernel/component.ts";
import { withMembers } from "../with-members.ts";

/**
 * Writes the status of a Job, unless the Job has changed since it was read. The server ignores a write without changes.
 */
export function writeStatus(process: Process<unknown>, job: Job, status: JobStatus): ServerReply {
  const object = withMembers(job, { status: toWireStatus(status) });
  return process.request({ verb: "update", object, subresource: "status" });
}

/**
 * Returns whether a status has changes besides its start time. The controller stores a start time only together with
 * another change.
 *
 * @see Kubernetes 1.36 `Controller.syncJob`, `needsStatusUpdate`
 */
export function needsStatusWrite(before: JobStatus | undefined, status: JobStatus): boolean {
  const members = Object.keys({ ...before, ...status }) as (keyof JobStatus)[];
  return members.some(
    (member) =>
      member !== "startTime" &&
      !isEqualJson(getComparedValue(before, member), getComparedValue(status, member)),
  );
}

/** Returns a member of a status as sent, without empty lists. */
function getComparedValue(status: JobStatus | undefined, member: keyof JobStatus): unknown {
  const value = status?.[member];
  if (OMITTED_IF_ZERO.includes(member)) return value || undefined;
  if (member !== "uncountedTerminatedPods") return value;
  const { succeeded = [], failed = [] } = status?.uncountedTerminatedPods ?? {};
  return { succeeded, failed };
}

/** The counts that the API omits if they are zero or empty. */
const OMITTED_IF_ZERO: readonly (keyof JobStatus)[] = [
  "active",
  "succeeded",
  "failed",
  "completedIndexes",
];

/** Returns a status with a condition that becomes true now, or with its new value. */
export function withCondition(
  status: JobStatus,
  condition: Omit<JobCondition, "lastProbeTime" | "lastTransitionTime">,
  now: EpochMillis,
): JobStatus {
  const time = formatTime(now);
  const newCondition = withMembers(condition as JobCondition, {
    lastProbeTime: time,
    lastTransitionTime: time,
  });
  const conditions = asArray(status.conditions);
  const isKnown = conditions.some(({ type }) => type === condition.type);
  return withMembers(status, {
    conditions: isKnown
      ? conditions.map((one) => (one.type === condition.type ? newCondition : one))
      : [...conditions, newCondition],
  });
}

/** Returns the status as sent, without the zero counts that the API omits. */
function toWireStatus({ active, succeeded, failed, completedIndexes, ...others }: JobStatus) {
  const members: { -readonly [Name in keyof JobStatus]: JobStatus[Name] } = others;
  if (active) members.active = active;
  if (succeeded) members.succeeded = succeeded;
  if (failed) members.failed = failed;
  if (completedIndexes) members.completedIndexes = completedIndexes;
  return members;
}
