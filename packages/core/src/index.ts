// The types of a JobSet, so that users of this package need no other package for them.
export type {
  FeatureGates,
  JobSet,
  JobSetStatus,
  ReplicatedJob,
  Unvalidated,
} from "@jobset-ts/api";
export { type Context, createContext } from "./context.ts";
export { decisionRules } from "./plan/decision-rules.ts";
export type {
  DeleteEffect,
  Effect,
  EffectError,
  EffectResult,
  ObjectKey,
} from "./plan/effects.ts";
export type {
  Plan,
  PlannedEvent,
  PlannedMetric,
  Step,
} from "./plan/plan.ts";
export { NO_QUIRKS, type Quirk, type Quirks, quirks, UPSTREAM_QUIRKS } from "./quirks.ts";
export { jobSetForObject } from "./reconcile/jobset-for-object.ts";
export { reconcile } from "./reconcile/reconcile.ts";
export { type ReleaseBehavior, releaseBehaviors } from "./release-behaviors.ts";
export { executePlan } from "./run/execute-plan.ts";
export {
  PlanExecution,
  type RunAction,
  type RunOutcome,
  type RunRequest,
} from "./run/plan-execution.ts";
export { SNAPSHOT_KINDS, type SnapshotKind } from "./snapshot/kinds.ts";
export {
  createSnapshot,
  type KindStatus,
  type ReadError,
  type Snapshot,
  type SnapshotChanges,
  type SnapshotOptions,
} from "./snapshot/snapshot.ts";
export type { InvalidObject } from "./snapshot/unpack.ts";
