import { type EpochMillis, formatTime } from "@jobset-ts/api";
import { POD_CONDITION_DISRUPTION_TARGET } from "@jobset-ts/api/conditions";
import { asArray, findCondition, type Pod, type PodCondition } from "@jobset-ts/api/kubernetes";
import { withMembers } from "../with-members.ts";

/** A condition to set. An omitted reason or message is removed. */
export type PodConditionWrite = Pick<PodCondition, "type" | "status"> & {
  readonly reason?: string;
  readonly message?: string;
};

/** Sets a condition of a draft Pod. */
export function setPodCondition(pod: Pod, condition: PodConditionWrite, now: EpochMillis): void {
  pod.status ??= {};
  pod.status.conditions = withPodCondition(pod.status.conditions, condition, now);
}

/** Returns the conditions with one set. Its transition time changes only with its status. */
export function withPodCondition(
  conditions: readonly PodCondition[] | undefined,
  condition: PodConditionWrite,
  now: EpochMillis,
): PodCondition[] {
  const known = asArray(conditions);
  const own = findCondition(known, condition.type);
  const lastTransitionTime =
    own?.status === condition.status ? own.lastTransitionTime : formatTime(now);
  const set: PodCondition =
    lastTransitionTime === undefined
      ? condition
      : withMembers<PodCondition>(condition, { lastTransitionTime });
  return own === undefined ? [...known, set] : known.map((one) => (one === own ? set : one));
}

/** Sets the DisruptionTarget condition of a draft Pod, with the component that terminates it as the reason. */
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

/** Returns whether a Pod has finished. A finished Pod uses no resources of its node and does not run again. */
export function isPodFinished({ status }: Pick<Pod, "status">): boolean {
  return status?.phase === "Succeeded" || status?.phase === "Failed";
}

/** Returns whether a Pod waits for the removal of its scheduling gates. */
export function isGated({ spec }: Pick<Pod, "spec">): boolean {
  return asArray(spec?.schedulingGates).length > 0;
}
