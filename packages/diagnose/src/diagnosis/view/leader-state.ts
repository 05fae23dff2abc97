import type { MemberPod } from "./member-pod.ts";
import type { SchedulingState } from "./scheduling-state.ts";

/** How the leader of a Job stands, the Pod of index 0; the first that applies. */
export type LeaderState =
  /** Several are active. */
  | "duplicated"
  | "ready"
  | "running"
  /** On a node, and does not run yet. */
  | "starting"
  | "gated"
  | "unschedulable"
  /** The scheduler has said nothing. */
  | "untried"
  /** On no node, and the scheduler's message is unknown. */
  | "unassigned"
  | "terminating"
  | "succeeded"
  | "failed"
  | "absent";

/**
 * How the leader of a Job stands.
 *
 * @param leaders - the Job's Pods of index 0, of the current attempt
 * @param hasSucceeded - whether the Job's status counts index 0 among those that have succeeded
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
