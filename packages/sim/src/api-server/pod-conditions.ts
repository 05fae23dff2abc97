import { type EpochMillis, formatTime } from "@jobset-ts/api";
import { POD_CONDITION_DISRUPTION_TARGET } from "@jobset-ts/api/conditions";
import { asArray, findCondition, type Pod, type PodCondition } from "@jobset-ts/api/kubernetes";

/** A condition as somebody sets it. A reason or a message that is left out is taken away. */
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

/** Says of a Pod that is a draft that it is about to be ended from outside, and by whom. */
export function disrupt(pod: Pod, reason: string, message: string, now: EpochMillis): void {
  setPodCondition(
    pod,
    { type: POD_CONDITION_DISRUPTION_TARGET, status: "True", reason, message },
    now,
  );
}

/** Whether a Pod has ended: it uses nothing of its node any more, and nobody runs it again. */
export function hasEnded({ status }: Pick<Pod, "status">): boolean {
  return status?.phase === "Succeeded" || status?.phase === "Failed";
}

/** Whether a Pod waits for its gates to be taken away before it is scheduled. */
export function isGated({ spec }: Pick<Pod, "spec">): boolean {
  return asArray(spec?.schedulingGates).length > 0;
}
