// The types of a JobSet, so that users of this package need no other for them.
export type {
  Features,
  Instant,
  JobSet,
  JobSetSpec,
  JobSetStatus,
  Observed,
  ReplicatedJob,
} from "@jobset-ts/api";
export { type Context, contextOf } from "./context.ts";
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
export { affectedJobSet } from "./reconcile/affected-jobsets.ts";
export { reconcile } from "./reconcile/reconcile.ts";
export { PlanRun, type RunAction, type RunOutcome, type RunRequest } from "./run/plan-run.ts";
export { runPlan } from "./run/run-plan.ts";
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
