import { type EpochMillis, formatTime, type Unvalidated } from "@jobset-ts/api";
import {
  jobSetMessages,
  jobSetReasons,
  POD_CONDITION_DISRUPTION_TARGET,
} from "@jobset-ts/api/conditions";
import type { Condition, Pod } from "@jobset-ts/api/kubernetes";
import { asArray, asRecord } from "../jobset-members.ts";
import type { FieldChange } from "../plan/field-changes.ts";

/**
 * Returns the changes of a Pod that say that it is deleted for the sake of its placement.
 *
 * The condition lets a Job's `podFailurePolicy` tell such a deletion from a failure, for instance ignore it. A Pod that
 * is to be disrupted for another reason already keeps that reason.
 *
 * @returns none when the first condition of the type is True already
 */
export function disruptionTargetChanges(
  pod: Unvalidated<Pod>,
  now: EpochMillis,
): readonly FieldChange[] {
  const type = POD_CONDITION_DISRUPTION_TARGET;
  const known = asArray(pod.status?.conditions).find((condition) => condition?.type === type);
  if (known?.status === "True") return [];
  const value: Condition = {
    type,
    status: "True",
    reason: jobSetReasons.ExclusivePlacementViolation,
    message: jobSetMessages.ExclusivePlacementViolation,
    lastTransitionTime: formatTime(now),
  };
  const path = ["status", "conditions", { type }];
  // The other members of a condition that was not True described something else.
  const others = Object.keys(asRecord(known)).filter((name) => !Object.hasOwn(value, name));
  return [...others.map((name) => ({ path: [...path, name] })), { path, value }];
}
