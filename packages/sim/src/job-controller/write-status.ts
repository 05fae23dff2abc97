import { type EpochMillis, formatTime } from "@jobset-ts/api";
import { asArray, type Job, type JobCondition, type JobStatus } from "@jobset-ts/api/kubernetes";
import type { ServerReply } from "../api-server/api-request.ts";
import { isEqualJson } from "../api-server/stored-values.ts";
import type { Process } from "../kernel/component.ts";
import { withMembers } from "../with-members.ts";

/** Writes a Job's status, unless the Job is not any more as it was seen; the server takes no notice of one that is there already. */
export function writeStatus(process: Process<unknown>, job: Job, status: JobStatus): ServerReply {
  const object = withMembers(job, { status: toWireStatus(status) });
  return process.request({ verb: "update", object, subresource: "status" });
}

/**
 * Whether a status differs from what it was by more than its start time: a sync sets that in what it holds, and it is stored
 * with the next change of anything else.
 *
 * @see Kubernetes 1.36 `Controller.syncJob`, `needsStatusUpdate`
 */
export function needsStatusWrite(before: JobStatus | undefined, status: JobStatus): boolean {
  return !isEqualJson(withoutTimes(before ?? {}), withoutTimes(status));
}

/** A status but for its start time and its lists where they are empty. */
function withoutTimes(status: JobStatus): JobStatus {
  const { startTime: _, uncountedTerminatedPods, ...members } = toWireStatus(status);
  const { succeeded = [], failed = [] } = uncountedTerminatedPods ?? {};
  return { ...members, uncountedTerminatedPods: { succeeded, failed } };
}

/** A status with a condition that begins to hold now, or with its new value. */
export function withCondition(
  status: JobStatus,
  condition: Omit<JobCondition, "lastProbeTime" | "lastTransitionTime">,
  now: EpochMillis,
): JobStatus {
  const time = formatTime(now);
  const made = { ...condition, lastProbeTime: time, lastTransitionTime: time } as JobCondition;
  const conditions = asArray(status.conditions);
  const isKnown = conditions.some(({ type }) => type === condition.type);
  return withMembers(status, {
    conditions: isKnown
      ? conditions.map((one) => (one.type === condition.type ? made : one))
      : [...conditions, made],
  });
}

/** The status as it goes over the wire, without counts that are zero where the API leaves those out. */
function toWireStatus({ active, succeeded, failed, completedIndexes, ...members }: JobStatus) {
  return withMembers<JobStatus>(members, {
    ...(active && { active }),
    ...(succeeded && { succeeded }),
    ...(failed && { failed }),
    ...(completedIndexes && { completedIndexes }),
  });
}
