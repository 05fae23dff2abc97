import type { MemberPod } from "./member-pod.ts";
import type { SchedulingState } from "./scheduling-state.ts";

/** The state of a Job's leader, which is the Pod with index 0. The first that applies. */
export type LeaderState =
  /** Several leaders are active. */
  | "duplicated"
  | "ready"
  | "running"
  /** On a node, but not running yet. */
  | "starting"
  | "gated"
  | "unschedulable"
  /** The scheduler has not reported yet. */
  | "untried"
  /** Not on a node, and the scheduler's message is unknown. */
  | "unassigned"
  | "terminating"
  | "succeeded"
  | "failed"
  | "absent";

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
  if (active.length > 1) return "duplicated";
  if (leader === undefined) {
    if (leaders.some(({ isTerminating }) => isTerminating)) return "terminating";
    if (leaders.some(({ phase }) => phase === "Succeeded") || hasSucceeded()) return "succeeded";
    return leaders.some(({ phase }) => phase === "Failed") ? "failed" : "absent";
  }
  if (leader.nodeName !== "") {
    if (leader.isReady) return "ready";
    return leader.phase === "Running" ? "running" : "starting";
  }
  const { outcome } = schedulingOf(leader);
  switch (outcome) {
    case "Gated":
      return "gated";
    case "Unschedulable":
      return "unschedulable";
    case "Untried":
      return "untried";
    case "Unknown":
      return "unassigned";
  }
}
