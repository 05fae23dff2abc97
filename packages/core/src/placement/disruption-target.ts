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
 * Returns the changes that add the condition `DisruptionTarget` to a Pod before it is deleted because of its placement.
 * With the condition, a Job's `podFailurePolicy` can distinguish such a deletion from a failure, for example to ignore
 * it. If a Pod already has the condition with another reason, the reason remains.
 *
 * @returns no changes if the first condition of the type is already True
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
  // The other members of a condition that was not True described another state.
  const others = Object.keys(asRecord(known)).filter((name) => !Object.hasOwn(value, name));
  return [...others.map((name) => ({ path: [...path, name] })), { path, value }];
}
