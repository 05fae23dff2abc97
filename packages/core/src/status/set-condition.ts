import { type EpochMillis, formatTime, type Unvalidated } from "@jobset-ts/api";
import {
  CONDITION_STARTUP_COMPLETED,
  CONDITION_STARTUP_IN_PROGRESS,
  type JobSetConditionType,
} from "@jobset-ts/api/conditions";
import type { Condition } from "@jobset-ts/api/kubernetes";
import { asArray, isObject } from "../jobset-members.ts";
import type { Quirks } from "../quirks.ts";

/** A condition to set, without its time. */
export interface ConditionChange {
  readonly type: JobSetConditionType;
  readonly status: Condition["status"];
  readonly reason: string;
  readonly message: string;
}

type Conditions = readonly Unvalidated<Condition>[];

/**
 * Returns the conditions after one was set. A condition keeps its time unless its status changes. An absent
 * condition is never added as `False`. At most one of the two startup conditions is True: setting one to True sets
 * the other to False, with unchanged reason and message. If the list contains several conditions of the type, which
 * the API does not allow, all of them are set.
 *
 * @param conditions - a value that is not a list counts as empty
 * @returns the very list that was given when nothing changes
 * @example setCondition([], { type: "Suspended", status: "False", reason: "R", message: "m" }, createContext({ now: 0 })) // => []
 */
export function setCondition(
  conditions: Conditions | null | undefined,
  change: ConditionChange,
  context: { readonly now: EpochMillis; readonly quirks: Quirks },
): Conditions {
  const current = asArray(conditions);
  if (!isObject(change)) return current;
  const now = formatTime(context.now);
  let time: string | Date | undefined = now;
  let found = false;
  let changed = false;
  const next = current.map((condition) => {
    if (!isObject(condition)) return condition;
    if (condition.type !== change.type) {
      if (!isExclusive(change, condition)) return condition;
      changed = true;
      if (context.quirks.has("StartupConditionKeepsTime")) {
        return { ...condition, status: "False" };
      }
      return { ...condition, status: "False", lastTransitionTime: now };
    }
    found = true;
    if (condition.status !== change.status) {
      changed = true;
      return createCondition(change, time);
    }
    const isSame = condition.reason === change.reason && condition.message === change.message;
    if (isSame || context.quirks.has("ConditionTextsKept")) return condition;
    changed = true;
    // Later duplicates whose status changes get the same time.
    time = condition.lastTransitionTime;
    return createCondition(change, time);
  });
  if (!found && change.status === "True") {
    return [...next, createCondition(change, time)];
  }
  return changed ? next : current;
}

/** A literal without a spread, which would give each condition its own hidden class. */
function createCondition(
  { type, status, reason, message }: ConditionChange,
  lastTransitionTime: string | Date | undefined,
): Unvalidated<Condition> {
  return { type, status, reason, message, lastTransitionTime };
}

/** Reports whether a condition cannot be True together with the one that is set. */
function isExclusive(change: ConditionChange, condition: Unvalidated<Condition>): boolean {
  return (
    change.status === "True" &&
    condition.status === "True" &&
    ((change.type === CONDITION_STARTUP_COMPLETED &&
      condition.type === CONDITION_STARTUP_IN_PROGRESS) ||
      (change.type === CONDITION_STARTUP_IN_PROGRESS &&
        condition.type === CONDITION_STARTUP_COMPLETED))
  );
}

/** Returns the first True condition of a list that has one of the types. */
export function findTrueCondition(
  conditions: Conditions | null | undefined,
  ...types: readonly string[]
): Unvalidated<Condition> | undefined {
  return asArray(conditions).find(
    (condition) =>
      isObject(condition) &&
      condition.status === "True" &&
      types.includes(condition.type as string),
  );
}
