import type { EpochMillis, JobSet, Unvalidated } from "@jobset-ts/api";
import { asArray, asInteger } from "@jobset-ts/api/kubernetes";
import { stopJob } from "../admission/stop.ts";
import type { KueueFeatureGates } from "../features.ts";
import { RESOURCE_IN_USE_FINALIZER } from "../keys.ts";
import type { KueueCluster } from "../objects/cluster.ts";
import { type WorkloadCondition, withCondition } from "../objects/conditions.ts";
import type { KueueConfig } from "../objects/config.ts";
import { type KueueEvent, normalEvent } from "../objects/event.ts";
import type { KueueError } from "../objects/kueue-error.ts";
import type { Workload } from "../objects/workload.ts";
import { jobSetKey, type KueueEffect, workloadKey } from "./effects.ts";

/** The settings of a reconcile, in addition to the cluster. */
export interface KueueContext {
  readonly now: EpochMillis;
  readonly config: KueueConfig;
  readonly features: KueueFeatureGates;
  /**
   * Whether an evicted JobSet is stopped, and its quota released, before its reclaimable Pods are written. The default
   * is `false`, as in Kueue. If a restart has lowered the reclaimable Pods, the API server rejects the write while
   * quota is reserved. Then Kueue never processes the eviction (kueue#14811, kueue#14609).
   */
  readonly evictFirst?: boolean;
}

/** An unfinished reconcile: its effects so far, and the JobSet after these effects. */
export interface Draft {
  readonly jobSet: Unvalidated<JobSet>;
  readonly cluster: KueueCluster;
  readonly context: KueueContext;
  readonly effects: readonly KueueEffect[];
  readonly events: readonly KueueEvent[];
}

/** A draft and the Workload that it changed. */
export interface WorkloadDraft {
  readonly draft: Draft;
  readonly workload: Unvalidated<Workload>;
}

export function withEffects(draft: Draft, ...effects: readonly KueueEffect[]): Draft {
  return { ...draft, effects: [...draft.effects, ...effects] };
}

export function withEvents(draft: Draft, ...events: readonly (KueueEvent | undefined)[]): Draft {
  return { ...draft, events: [...draft.events, ...events.filter((event) => event !== undefined)] };
}

/** Adds the Event of an error to a draft. */
export function withErrorEvent(draft: Draft, { event }: KueueError): Draft {
  return withEvents(draft, event);
}

/** Suspends and restores the JobSet unless it is already suspended. */
export function withStoppedJobSet(
  draft: Draft,
  workload: Unvalidated<Workload> | undefined,
  message: string,
): Draft {
  const result = stopJob(draft.jobSet, workload, message);
  if (result.action === "None") return draft;
  return withEvents(withJobSet(draft, result.jobSet), normalEvent("Stopped", result.message));
}

/** Replaces the spec of the JobSet. */
export function withJobSet(draft: Draft, jobSet: Unvalidated<JobSet>): Draft {
  const effect = { verb: "patch", target: jobSetKey(jobSet), spec: jobSet.spec ?? {} } as const;
  return { ...withEffects(draft, effect), jobSet };
}

/** Removes the finalizer of a Workload. Its JobSet no longer needs quota, so nothing must delay the deletion. */
export function withoutFinalizer(draft: Draft, workload: Unvalidated<Workload>): WorkloadDraft {
  const { metadata } = workload;
  const finalizers = asArray(metadata?.finalizers);
  if (!finalizers.includes(RESOURCE_IN_USE_FINALIZER)) return { draft, workload };
  const remaining = finalizers.filter((finalizer) => finalizer !== RESOURCE_IN_USE_FINALIZER);
  return withMetadata(draft, workload, { ...metadata, finalizers: remaining }, "update");
}

/** Replaces the metadata of a Workload. */
export function withMetadata(
  draft: Draft,
  workload: Unvalidated<Workload>,
  metadata: NonNullable<Unvalidated<Workload>["metadata"]>,
  verb: "update" | "patch",
): WorkloadDraft {
  const effect = { verb, target: workloadKey(workload), metadata } as const;
  return { draft: withEffects(draft, effect), workload: { ...workload, metadata } };
}

/** Replaces the spec of a Workload. */
export function withSpec(
  draft: Draft,
  workload: Unvalidated<Workload>,
  spec: NonNullable<Unvalidated<Workload>["spec"]>,
): WorkloadDraft {
  const effect = { verb: "update", target: workloadKey(workload), spec } as const;
  return { draft: withEffects(draft, effect), workload: { ...workload, spec } };
}

/** Replaces the status of a Workload. */
export function withStatus(
  draft: Draft,
  workload: Unvalidated<Workload>,
  status: NonNullable<Unvalidated<Workload>["status"]>,
): WorkloadDraft {
  const effect = { verb: "patchStatus", target: workloadKey(workload), status } as const;
  return { draft: withEffects(draft, effect), workload: { ...workload, status } };
}

/** Sets a condition of a Workload. */
export function withWorkloadCondition(
  draft: Draft,
  workload: Unvalidated<Workload>,
  condition: WorkloadCondition,
): WorkloadDraft {
  const conditions = mergeCondition(workload, condition, draft.context);
  return withStatus(draft, workload, { ...workload.status, conditions });
}

/** Returns the conditions of a Workload with one set, for the Workload's generation. */
export function mergeCondition(
  { metadata, status }: Unvalidated<Workload>,
  condition: WorkloadCondition,
  { now }: KueueContext,
): readonly Unvalidated<WorkloadCondition>[] {
  const generation = asInteger(metadata?.generation, 0);
  const observedGeneration = generation > 0 ? { observedGeneration: generation } : {};
  return withCondition(status?.conditions, condition, { now, ...observedGeneration });
}
