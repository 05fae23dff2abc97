import { type EpochMillis, formatTime } from "@jobset-ts/api";
import { asArray, type Job, type JobCondition, type JobStatus } from "@jobset-ts/api/kubernetes";
import type { ServerReply } from "../api-server/api-request.ts";
import { isEqualJson } from "../api-server/stored-values.ts";
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
  return !isEqualJson(withoutTimes(before ?? {}), withoutTimes(status));
}

/** Returns a status without its start time and its empty lists. */
function withoutTimes(status: JobStatus): JobStatus {
  const { startTime: _, uncountedTerminatedPods, ...members } = toWireStatus(status);
  const { succeeded = [], failed = [] } = uncountedTerminatedPods ?? {};
  return { ...members, uncountedTerminatedPods: { succeeded, failed } };
}

/** Returns a status with a condition that becomes true now, or with its new value. */
export function withCondition(
  status: JobStatus,
  condition: Omit<JobCondition, "lastProbeTime" | "lastTransitionTime">,
  now: EpochMillis,
): JobStatus {
  const time = formatTime(now);
  const newCondition = {
    ...condition,
    lastProbeTime: time,
    lastTransitionTime: time,
  } as JobCondition;
  const conditions = asArray(status.conditions);
  const isKnown = conditions.some(({ type }) => type === condition.type);
  return withMembers(status, {
    conditions: isKnown
      ? conditions.map((one) => (one.type === condition.type ? newCondition : one))
      : [...conditions, newCondition],
  });
}

/** Returns the status as sent, without the zero counts that the API omits. */
function toWireStatus({ active, succeeded, failed, completedIndexes, ...members }: JobStatus) {
  return withMembers<JobStatus>(members, {
    ...(active && { active }),
    ...(succeeded && { succeeded }),
    ...(failed && { failed }),
    ...(completedIndexes && { completedIndexes }),
  });
}
