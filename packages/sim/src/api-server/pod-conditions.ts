import { type EpochMillis, formatTime } from "@jobset-ts/api";
import { POD_CONDITION_DISRUPTION_TARGET } from "@jobset-ts/api/conditions";
import { asArray, findCondition, type Pod, type PodCondition } from "@jobset-ts/api/kubernetes";

/** A condition to set. An omitted reason or message is removed. */
export type PodConditionWrite = Pick<PodCondition, "type" | "status"> & {
  readonly reason?: string;
  readonly message?: string;
};

/** Sets a condition of a Pod that is a draft. */
export function setPodCondition(pod: Pod, condition: PodConditionWrite, now: EpochMillis): void {
  pod.status ??= {};
  pod.status.conditions = withPodCondition(pod.status.conditions, condition, now);
}

/** Conditions with one that is set. Its time is when its status last changed. */
export function withPodCondition(
  conditions: readonly PodCondition[] | undefined,
  condition: PodConditionWrite,
  now: EpochMillis,
): PodCondition[] {
  const known = asArray(conditions);
  const own = findCondition(known, condition.type);
  const lastTransitionTime =
    own?.status === condition.status ? own.lastTransitionTime : formatTime(now);
  const set = { ...condition, ...(lastTransitionTime !== undefined && { lastTransitionTime }) };
  return own === undefined ? [...known, set] : known.map((one) => (one === own ? set : one));
}

/** Sets the condition DisruptionTarget of a draft Pod: who is about to terminate it from outside. */
export function setDisruptionTarget(
  pod: Pod,
  reason: string,
  message: string,
  now: EpochMillis,
): void {
  setPodCondition(
    pod,
    { type: POD_CONDITION_DISRUPTION_TARGET, status: "True", reason, message },
    now,
  );
}

/** Reports whether a Pod has finished: it uses no resources of its node and does not run again. */
export function isPodFinished({ status }: Pick<Pod, "status">): boolean {
  return status?.phase === "Succeeded" || status?.phase === "Failed";
}

/** Whether a Pod waits for its gates to be taken away before it is scheduled. */
export function isGated({ spec }: Pick<Pod, "spec">): boolean {
  return asArray(spec?.schedulingGates).length > 0;
}
