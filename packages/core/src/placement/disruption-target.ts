import {
  type Condition,
  formatTime,
  type Instant,
  MESSAGE_EXCLUSIVE_PLACEMENT_VIOLATION,
  type Observed,
  POD_CONDITION_DISRUPTION_TARGET,
  type PodCondition,
  REASON_EXCLUSIVE_PLACEMENT_VIOLATION,
} from "@jobset-ts/api";

type Conditions = readonly Observed<PodCondition>[];

/**
 * A Pod's conditions with the one that says it is deleted for the sake of its placement.
 *
 * The condition lets a Job's `podFailurePolicy` tell such a deletion from a failure, for instance ignore it. A
 * Pod that is to be disrupted for another reason already keeps that reason.
 *
 * @returns the very list that was given when the first condition of the type is True already
 */
export function withDisruptionTarget(conditions: Conditions, now: Instant): Conditions {
  const at = conditions.findIndex(
    (condition) => condition?.type === POD_CONDITION_DISRUPTION_TARGET,
  );
  if (conditions[at]?.status === "True") return conditions;
  const condition: Condition = {
    type: POD_CONDITION_DISRUPTION_TARGET,
    status: "True",
    reason: REASON_EXCLUSIVE_PLACEMENT_VIOLATION,
    message: MESSAGE_EXCLUSIVE_PLACEMENT_VIOLATION,
    lastTransitionTime: formatTime(now),
  };
  return at === -1 ? [...conditions, condition] : conditions.with(at, condition);
}
