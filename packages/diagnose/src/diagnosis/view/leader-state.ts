import type { MemberPod } from "./member-pod.ts";
import type { SchedulingState } from "./scheduling-state.ts";

/** The state of a Job's leader, which is the Pod with index 0. The first state that applies counts. */
export type LeaderState =
  /** Several leaders are active. */
  | "Duplicated"
  | "Ready"
  | "Running"
  /** On a node, but not running yet. */
  | "Starting"
  | "Gated"
  | "Unschedulable"
  /** The scheduler has not reported yet. */
  | "Untried"
  /** Not on a node, and the scheduler's message is unknown. */
  | "Unassigned"
  | "Terminating"
  | "Succeeded"
  | "Failed"
  | "Absent";

/**
 * Returns the state of a Job's leader.
 *
 * @param leaders - the Job's Pods with index 0 in the current attempt
 * @param hasSucceeded - whether the Job's status counts index 0 as succeeded
 */
export function getLeaderState(
  leaders: readonly MemberPod[],
  hasSucceeded: () => boolean,
  schedulingOf: (pod: MemberPod) => SchedulingState,
): LeaderState {
  const active = leaders.filter(({ isActive }) => isActive);
  const [leader] = active;
  if (active.length > 1) return "Duplicated";
  if (leader === undefined) {
    if (leaders.some(({ isTerminating }) => isTerminating)) return "Terminating";
    if (leaders.some(({ phase }) => phase === "Succeeded") || hasSucceeded()) return "Succeeded";
    return leaders.some(({ phase }) => phase === "Failed") ? "Failed" : "Absent";
  }
  if (leader.nodeName !== "") {
    if (leader.isReady) return "Ready";
    return leader.phase === "Running" ? "Running" : "Starting";
  }
  const { outcome } = schedulingOf(leader);
  switch (outcome) {
    case "Gated":
      return "Gated";
    case "Unschedulable":
      return "Unschedulable";
    case "Untried":
      return "Untried";
    case "Unknown":
      return "Unassigned";
  }
}
