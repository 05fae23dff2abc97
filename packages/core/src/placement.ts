export { isLeaderPod } from "./placement/leader.ts";
export { leaderForPod } from "./placement/leader-for-pod.ts";
export {
  type NodeLabelsError,
  type NodeLabelsPlan,
  type NodePatch,
  type PoolAssignment,
  planNodeLabels,
} from "./placement/plan-node-labels.ts";
export { reconcilePlacement } from "./placement/reconcile-placement.ts";
export type { PlacementPlan } from "./plan/plan.ts";
