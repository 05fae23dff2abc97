import { type EpochMillis, formatTime, type Unvalidated } from "@jobset-ts/api";
import { asArray, type Condition, findCondition } from "@jobset-ts/api/kubernetes";

/** A Workload condition to set, without its transition time. */
export interface WorkloadCondition {
  readonly type: string;
  readonly status: Condition["status"];
  readonly reason: string;
  readonly message: string;
}

type Conditions = readonly Unvalidated<Condition>[];

/** Reports whether the condition of a type is True. */
export function isConditionTrue(conditions: Conditions | null | undefined, type: string): boolean {
  return findCondition(conditions, type)?.status === "True";
}

/**
 * Sets a condition. Its transition time changes only if its status changes. A new condition is appended.
 *
 * @see Kubernetes `meta.SetStatusCondition`
 */
export function withCondition(
  conditions: Conditions | null | undefined,
  change: WorkloadCondition,
  { now, observedGeneration }: { readonly now: EpochMillis; readonly observedGeneration?: number },
): Conditions {
  const given = asArray(conditions);
  const current = findCondition(given, change.type);
  const lastTransitionTime =
    current !== undefined && current.status === change.status
      ? current.lastTransitionTime
      : formatTime(now);
  const next = {
    ...current,
    ...change,
    lastTransitionTime,
    ...(observedGeneration !== undefined && { observedGeneration }),
  };
  if (current === undefined) return [...given, next];
  return given.map((condition) => (condition === current ? next : condition));
}
