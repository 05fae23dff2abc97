export {
  type EvaluatedPlacement,
  evaluatePlacement,
  type PlacementDecision,
} from "./placement/evaluate-placement.ts";
export { isLeaderPod } from "./placement/leader.ts";
export { leaderToReconcile } from "./placement/leader-to-reconcile.ts";
export {
  type NodeLabelsPlan,
  type NodeLabelsRefusal,
  type NodePatch,
  nodePatchLines,
  type PoolAssignment,
  planNodeLabels,
} from "./placement/plan-node-labels.ts";
export { reconcilePlacement } from "./placement/reconcile-placement.ts";
export type { PlacementPlan } from "./plan/plan.ts";
