import { formatTime, type Instant } from "@jobset-ts/api";
import { POD_CONDITION_DISRUPTION_TARGET } from "@jobset-ts/api/conditions";
import { type Condition, conditionOf, listOf, type Pod } from "@jobset-ts/api/kubernetes";

/**
 * Sets a condition of a Pod that is a draft. Its time is when its status last changed.
 *
 * A reason or a message that is left out is taken away.
 */
export function setPodCondition(
  pod: Pod,
  condition: Pick<Condition, "type" | "status"> & { readonly reason?: string; message?: string },
  now: Instant,
): void {
  pod.status ??= {};
  const conditions = pod.status.conditions ?? [];
  pod.status.conditions = conditions;
  const own = conditionOf(conditions, condition.type);
  if (own === undefined) {
    conditions.push({ ...condition, lastTransitionTime: formatTime(now) });
    return;
  }
  if (own.status !== condition.status) {
    own.status = condition.status;
    own.lastTransitionTime = formatTime(now);
  }
  for (const member of ["reason", "message"] as const) {
    const text = condition[member];
    if (text === undefined) delete own[member];
    else if (own[member] !== text) own[member] = text;
  }
}

/** Says of a Pod that is a draft that it is about to be ended from outside, and by whom. */
export function disrupt(pod: Pod, reason: string, message: string, now: Instant): void {
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
  return listOf(spec?.schedulingGates).length > 0;
}
