import { parseTime, type Unvalidated } from "@jobset-ts/api";
import { asInteger, asString, findCondition } from "@jobset-ts/api/kubernetes";
import { isConditionTrue, type WorkloadCondition } from "../objects/conditions.ts";
import { listObjects } from "../objects/members.ts";
import type { Workload } from "../objects/workload.ts";
import { type KueueContext, mergeCondition } from "./draft.ts";

type Status = NonNullable<Unvalidated<Workload>["status"]>;

/**
 * Returns the status of an evicted Workload whose Pods are gone. Its quota is released, and a condition shows whether
 * it was requeued. Its reclaimable Pods do not change.
 */
export function evictedStatus(workload: Unvalidated<Workload>, context: KueueContext): Status {
  const { admission: _, ...status } = workload.status ?? {};
  const evicted = findCondition(status.conditions, "Evicted");
  const cause = { reason: asString(evicted?.reason), message: asString(evicted?.message) };
  let next: Unvalidated<Workload> = { ...workload, status };
  const set = (condition: WorkloadCondition) => {
    const conditions = mergeCondition(next, condition, context);
    next = { ...next, status: { ...next.status, conditions } };
  };
  const isRequeued = ["Preempted", "NodeFailures"].includes(cause.reason);
  set({ type: "Requeued", status: isRequeued ? "True" : "False", ...cause });
  const isObservable = context.features.has("UnadmittedWorkloadsObservability");
  set({
    type: "QuotaReserved",
    status: "False",
    reason: isObservable ? "PendingEvaluation" : "Pending",
    message: cause.message,
  });
  const wasAdmitted = isConditionTrue(status.conditions, "Admitted");
  if (isObservable || wasAdmitted) {
    set({ type: "Admitted", status: "False", ...notAdmittedReason(workload, isObservable) });
  }
  return wasAdmitted
    ? { ...next.status, ...addExecutionTime(workload, context) }
    : (next.status ?? {});
}

function notAdmittedReason(workload: Unvalidated<Workload>, isObservable: boolean) {
  const checks = listObjects(workload.status?.admissionChecks);
  if (!isObservable && checks.some(({ state }) => state !== "Ready")) {
    return {
      reason: "NoReservationUnsatisfiedChecks",
      message: "The workload has no reservation and not all checks ready",
    };
  }
  return { reason: "NoReservation", message: "The workload has no reservation" };
}

function addExecutionTime(workload: Unvalidated<Workload>, { now }: KueueContext): Status {
  const { conditions, accumulatedPastExecutionTimeSeconds } = workload.status ?? {};
  const since = parseTime(findCondition(conditions, "Admitted")?.lastTransitionTime);
  if (since === undefined) return {};
  const before = asInteger(accumulatedPastExecutionTimeSeconds, 0);
  const seconds = Math.trunc((now - since) / 1000);
  return { accumulatedPastExecutionTimeSeconds: before + seconds };
}
