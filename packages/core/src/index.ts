export { type Context, contextOf } from "./context.ts";
export { applyChanges, type ElementKey, type MemberChange } from "./member-changes.ts";
export type {
  CreateEffect,
  Decision,
  DeleteEffect,
  Effect,
  ObjectKey,
  PatchEffect,
  Phase,
  Plan,
  PlanError,
  PlannedEvent,
  PlannedMetric,
  Step,
  UpdateEffect,
  UpdateStatusEffect,
} from "./plan.ts";
export { NO_QUIRKS, type Quirk, type Quirks, quirks, UPSTREAM_QUIRKS } from "./quirks.ts";
export { affectedJobSet } from "./reconcile/affected-jobsets.ts";
export { reconcile } from "./reconcile/reconcile.ts";
export {
  type EffectError,
  type EffectResult,
  PlanRun,
  type RunAction,
  type RunOutcome,
  type RunRequest,
} from "./run/plan-run.ts";
export { type Performer, runPlan } from "./run/run-plan.ts";
export { SNAPSHOT_KINDS, type SnapshotKind } from "./snapshot/kinds.ts";
export {
  type KindReading,
  type ReadError,
  type Snapshot,
  type SnapshotChanges,
  type SnapshotOptions,
  snapshotOf,
} from "./snapshot/snapshot.ts";
export type { RefusedObject } from "./snapshot/unpack.ts";
