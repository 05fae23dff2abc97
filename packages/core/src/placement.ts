export { isLeaderPod } from "./placement/leader.ts";
export { leaderForPod } from "./placement/leader-for-pod.ts";
export { reconcilePlacement } from "./placement/reconcile-placement.ts";
export type { PlacementPlan } from "./plan/plan.ts";
