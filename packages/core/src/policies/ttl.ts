import { type EpochMillis, type JobSet, parseTime, type Unvalidated } from "@jobset-ts/api";
import { CONDITION_COMPLETED, CONDITION_FAILED } from "@jobset-ts/api/conditions";
import { namespacedName } from "@jobset-ts/api/kubernetes";
import { asInteger } from "../jobset-members.ts";
import { findTrueCondition } from "../status/set-condition.ts";

/** Reports whether a JobSet has finished. Only its conditions matter, not `terminalState`. */
export function isFinished(jobSet: Unvalidated<JobSet>): boolean {
  return (
    findTrueCondition(jobSet?.status?.conditions, CONDITION_COMPLETED, CONDITION_FAILED) !==
    undefined
  );
}

/** The action for `ttlSecondsAfterFinished`. */
export type TtlDecision =
  /** The JobSet has not finished, or has no TTL. */
  | { readonly action: "Keep" }
  | { readonly action: "Wait"; readonly remainingSeconds: number }
  | { readonly action: "Delete" }
  /** The finish time is unknown. */
  | { readonly action: "Refuse"; readonly message: string };

/**
 * Decides whether a finished JobSet is due for deletion.
 *
 * It is deleted `ttlSecondsAfterFinished` seconds after its first True condition `Completed` or `Failed`. A finish time
 * in the future extends its life.
 */
export function evaluateTtl(jobSet: Unvalidated<JobSet>, now: EpochMillis): TtlDecision {
  const ttlSeconds = asInteger(jobSet?.spec?.ttlSecondsAfterFinished, Number.NaN);
  const end = findTrueCondition(jobSet?.status?.conditions, CONDITION_COMPLETED, CONDITION_FAILED);
  if (end === undefined || Number.isNaN(ttlSeconds)) return { action: "Keep" };
  const finishedAt = parseTime(end.lastTransitionTime);
  if (finishedAt === undefined) {
    const message = `error checking if ttl expired: unable to find the time when the JobSet ${namespacedName(jobSet)} finished`;
    return { action: "Refuse", message };
  }
  // Whole milliseconds, so that fractions of a second are exact.
  const remainingSeconds = (finishedAt - now + ttlSeconds * 1000) / 1000;
  return remainingSeconds <= 0 ? { action: "Delete" } : { action: "Wait", remainingSeconds };
}
