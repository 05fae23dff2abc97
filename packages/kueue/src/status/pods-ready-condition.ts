import type { JobSet, Unvalidated } from "@jobset-ts/api";
import { findCondition } from "@jobset-ts/api/kubernetes";
import type { WorkloadCondition } from "../objects/conditions.ts";
import { isAdmitted, type Workload } from "../objects/workload.ts";
import { podsReady } from "./jobset-state.ts";

const WAIT_FOR_RECOVERY = "WaitForRecovery";
const RECOVERED = "Recovered";

/**
 * Returns the condition `PodsReady` that a Workload should have if Kueue waits for ready Pods.
 *
 * @example podsReadyCondition({}, {}) // => { type: "PodsReady", status: "False", reason: "WaitForStart", message: "Not all pods are ready or succeeded" }
 */
export function podsReadyCondition(
  workload: Unvalidated<Workload>,
  jobSet: Unvalidated<JobSet>,
): WorkloadCondition {
  const before = findCondition(workload?.status?.conditions, "PodsReady");
  if (isAdmitted(workload)) {
    if (podsReady(jobSet)) {
      const hasRecovered = before?.reason === WAIT_FOR_RECOVERY || before?.reason === RECOVERED;
      return {
        type: "PodsReady",
        status: "True",
        reason: hasRecovered ? RECOVERED : "Started",
        message: "All pods reached readiness and the workload is running",
      };
    }
    if (before?.status === "True" || before?.reason === WAIT_FOR_RECOVERY) {
      return {
        type: "PodsReady",
        status: "False",
        reason: WAIT_FOR_RECOVERY,
        message: "At least one pod has failed, waiting for recovery",
      };
    }
  }
  return {
    type: "PodsReady",
    status: "False",
    reason: "WaitForStart",
    message: "Not all pods are ready or succeeded",
  };
}

/**
 * Reports whether a condition of a Workload must be written. A different message alone is not a reason.
 *
 * @example isPodsReadyOutdated({}, podsReadyCondition({}, {})) // => true
 */
export function isPodsReadyOutdated(
  workload: Unvalidated<Workload>,
  desired: WorkloadCondition,
): boolean {
  const before = findCondition(workload?.status?.conditions, desired.type);
  return before?.status !== desired.status || before.reason !== desired.reason;
}
