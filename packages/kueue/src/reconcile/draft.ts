import type { Instant, JobSet, Observed } from "@jobset-ts/api";
import { integerOf, keyOf, listOf } from "@jobset-ts/api/kubernetes";
import { stop } from "../admission/stop.ts";
import type { KueueFeatures } from "../features.ts";
import { RESOURCE_IN_USE_FINALIZER } from "../keys.ts";
import type { KueueCluster } from "../objects/cluster.ts";
import { type WorkloadCondition, withCondition } from "../objects/conditions.ts";
import type { KueueConfig } from "../objects/config.ts";
import { type KueueEvent, normalEvent } from "../objects/event.ts";
import type { KueueRefusal } from "../objects/refusal.ts";
import type { Workload } from "../objects/workload.ts";
import { jobSetKey, type KueueEffect, workloadKey } from "./effects.ts";

/** What a pass decides with, besides the cluster. */
export interface KueueContext {
  readonly now: Instant;
  readonly config: KueueConfig;
  readonly features: KueueFeatures;
  /**
   * Whether an evicted JobSet is stopped, and its quota given back, before its reclaimable Pods are written. Default `false`, as
   * Kueue does it: where a restart has lowered them the write is refused while quota is reserved, and the eviction
   * never gets its turn (kueue#14811, kueue#14609).
   */
  readonly evictFirst?: boolean;
}

/** A pass so far: what it has asked for, and the JobSet as it is once that is done. */
export interface Draft {
  readonly jobSet: Observed<JobSet>;
  readonly cluster: KueueCluster;
  readonly context: KueueContext;
  readonly effects: readonly KueueEffect[];
  readonly events: readonly KueueEvent[];
}

/** A draft and the Workload that it has written to. */
export interface WorkloadDraft {
  readonly draft: Draft;
  readonly workload: Observed<Workload>;
}

export function withEffects(draft: Draft, ...effects: readonly KueueEffect[]): Draft {
  return { ...draft, effects: [...draft.effects, ...effects] };
}

export function withEvents(draft: Draft, ...events: readonly (KueueEvent | undefined)[]): Draft {
  return { ...draft, events: [...draft.events, ...events.filter((event) => event !== undefined)] };
}

/** A draft that ends with an error, and the Event that goes with it. */
export function withRefusal(draft: Draft, { event }: KueueRefusal): Draft {
  return withEvents(draft, event);
}

/** The JobSet suspended and restored, unless it is suspended already. */
export function stopped(
  draft: Draft,
  workload: Observed<Workload> | undefined,
  message: string,
): Draft {
  const result = stop(draft.jobSet, workload, message);
  if (result.action === "None") return draft;
  return withEvents(withJobSet(draft, result.jobSet), normalEvent("Stopped", result.message));
}

/** The JobSet with another spec. */
export function withJobSet(draft: Draft, jobSet: Observed<JobSet>): Draft {
  const effect = { verb: "patch", target: jobSetKey(jobSet), spec: jobSet.spec ?? {} } as const;
  return { ...withEffects(draft, effect), jobSet };
}

/** A Workload whose JobSet needs no quota any more: whoever deletes it does not have to wait for it. */
export function withoutFinalizer(draft: Draft, workload: Observed<Workload>): WorkloadDraft {
  const { metadata } = workload;
  const finalizers = listOf(metadata?.finalizers);
  if (!finalizers.includes(RESOURCE_IN_USE_FINALIZER)) return { draft, workload };
  const kept = finalizers.filter((finalizer) => finalizer !== RESOURCE_IN_USE_FINALIZER);
  return withMetadata(draft, workload, { ...metadata, finalizers: kept }, "update");
}

/** A Workload with other metadata. */
export function withMetadata(
  draft: Draft,
  workload: Observed<Workload>,
  metadata: NonNullable<Observed<Workload>["metadata"]>,
  verb: "update" | "patch",
): WorkloadDraft {
  const effect = { verb, target: workloadKey(workload), metadata } as const;
  return { draft: withEffects(draft, effect), workload: { ...workload, metadata } };
}

/** A Workload with another spec. */
export function withSpec(
  draft: Draft,
  workload: Observed<Workload>,
  spec: NonNullable<Observed<Workload>["spec"]>,
): WorkloadDraft {
  const effect = { verb: "update", target: workloadKey(workload), spec } as const;
  return { draft: withEffects(draft, effect), workload: { ...workload, spec } };
}

/** A Workload with another status. */
export function withStatus(
  draft: Draft,
  workload: Observed<Workload>,
  status: NonNullable<Observed<Workload>["status"]>,
): WorkloadDraft {
  const effect = { verb: "patchStatus", target: workloadKey(workload), status } as const;
  return { draft: withEffects(draft, effect), workload: { ...workload, status } };
}

/** A Workload with a condition set. */
export function withWorkloadCondition(
  draft: Draft,
  workload: Observed<Workload>,
  condition: WorkloadCondition,
): WorkloadDraft {
  const conditions = conditionsWith(workload, condition, draft.context);
  return withStatus(draft, workload, { ...workload.status, conditions });
}

/** The conditions of a Workload after one was set, of the Workload's generation. */
export function conditionsWith(
  { metadata, status }: Observed<Workload>,
  condition: WorkloadCondition,
  { now }: KueueContext,
): readonly Observed<WorkloadCondition>[] {
  const generation = integerOf(metadata?.generation, 0);
  const observedGeneration = generation > 0 ? { observedGeneration: generation } : {};
  return withCondition(status?.conditions, condition, { now, ...observedGeneration });
}

/** `<namespace>/<name>`, as Events name a Workload. */
export function toldName(workload: Observed<Workload>): string {
  return keyOf(workload);
}

/** Whether an object is on its way out. */
export function isDeleting(
  object: Observed<{ metadata: { deletionTimestamp?: string } }>,
): boolean {
  return (object?.metadata?.deletionTimestamp ?? undefined) !== undefined;
}
