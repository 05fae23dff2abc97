import type { EpochMillis, JobSet, Unvalidated } from "@jobset-ts/api";
import { asArray, asInteger, namespacedName } from "@jobset-ts/api/kubernetes";
import { stopJob } from "../admission/stop.ts";
import type { KueueFeatureGates } from "../features.ts";
import { RESOURCE_IN_USE_FINALIZER } from "../keys.ts";
import type { KueueCluster } from "../objects/cluster.ts";
import { type WorkloadCondition, withCondition } from "../objects/conditions.ts";
import type { KueueConfig } from "../objects/config.ts";
import { type KueueEvent, normalEvent } from "../objects/event.ts";
import type { KueueError } from "../objects/refusal.ts";
import type { Workload } from "../objects/workload.ts";
import { jobSetKey, type KueueEffect, workloadKey } from "./effects.ts";

/** What a pass decides with, besides the cluster. */
export interface KueueContext {
  readonly now: EpochMillis;
  readonly config: KueueConfig;
  readonly features: KueueFeatureGates;
  /**
   * Whether an evicted JobSet is stopped, and its quota given back, before its reclaimable Pods are written. Default `false`, as
   * Kueue does it: where a restart has lowered them the write is refused while quota is reserved, and the eviction
   * never gets its turn (kueue#14811, kueue#14609).
   */
  readonly evictFirst?: boolean;
}

/** A pass so far: what it has asked for, and the JobSet as it is once that is done. */
export interface Draft {
  readonly jobSet: Unvalidated<JobSet>;
  readonly cluster: KueueCluster;
  readonly context: KueueContext;
  readonly effects: readonly KueueEffect[];
  readonly events: readonly KueueEvent[];
}

/** A draft and the Workload that it has written to. */
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

/** A draft that ends with an error, and the Event that goes with it. */
export function withErrorEvent(draft: Draft, { event }: KueueError): Draft {
  return withEvents(draft, event);
}

/** The JobSet suspended and restored, unless it is suspended already. */
export function withStoppedJobSet(
  draft: Draft,
  workload: Unvalidated<Workload> | undefined,
  message: string,
): Draft {
  const result = stopJob(draft.jobSet, workload, message);
  if (result.action === "None") return draft;
  return withEvents(withJobSet(draft, result.jobSet), normalEvent("Stopped", result.message));
}

/** The JobSet with another spec. */
export function withJobSet(draft: Draft, jobSet: Unvalidated<JobSet>): Draft {
  const effect = { verb: "patch", target: jobSetKey(jobSet), spec: jobSet.spec ?? {} } as const;
  return { ...withEffects(draft, effect), jobSet };
}

/** Returns a Workload without its finalizer. Its JobSet needs no quota any more, so its deletion need not wait. */
export function withoutFinalizer(draft: Draft, workload: Unvalidated<Workload>): WorkloadDraft {
  const { metadata } = workload;
  const finalizers = asArray(metadata?.finalizers);
  if (!finalizers.includes(RESOURCE_IN_USE_FINALIZER)) return { draft, workload };
  const kept = finalizers.filter((finalizer) => finalizer !== RESOURCE_IN_USE_FINALIZER);
  return withMetadata(draft, workload, { ...metadata, finalizers: kept }, "update");
}

/** A Workload with other metadata. */
export function withMetadata(
  draft: Draft,
  workload: Unvalidated<Workload>,
  metadata: NonNullable<Unvalidated<Workload>["metadata"]>,
  verb: "update" | "patch",
): WorkloadDraft {
  const effect = { verb, target: workloadKey(workload), metadata } as const;
  return { draft: withEffects(draft, effect), workload: { ...workload, metadata } };
}

/** A Workload with another spec. */
export function withSpec(
  draft: Draft,
  workload: Unvalidated<Workload>,
  spec: NonNullable<Unvalidated<Workload>["spec"]>,
): WorkloadDraft {
  const effect = { verb: "update", target: workloadKey(workload), spec } as const;
  return { draft: withEffects(draft, effect), workload: { ...workload, spec } };
}

/** A Workload with another status. */
export function withStatus(
  draft: Draft,
  workload: Unvalidated<Workload>,
  status: NonNullable<Unvalidated<Workload>["status"]>,
): WorkloadDraft {
  const effect = { verb: "patchStatus", target: workloadKey(workload), status } as const;
  return { draft: withEffects(draft, effect), workload: { ...workload, status } };
}

/** A Workload with a condition set. */
export function withWorkloadCondition(
  draft: Draft,
  workload: Unvalidated<Workload>,
  condition: WorkloadCondition,
): WorkloadDraft {
  const conditions = mergeCondition(workload, condition, draft.context);
  return withStatus(draft, workload, { ...workload.status, conditions });
}

/** The conditions of a Workload after one was set, of the Workload's generation. */
export function mergeCondition(
  { metadata, status }: Unvalidated<Workload>,
  condition: WorkloadCondition,
  { now }: KueueContext,
): readonly Unvalidated<WorkloadCondition>[] {
  const generation = asInteger(metadata?.generation, 0);
  const observedGeneration = generation > 0 ? { observedGeneration: generation } : {};
  return withCondition(status?.conditions, condition, { now, ...observedGeneration });
}

/** `<namespace>/<name>`, as Events name a Workload. */
export function formatWorkloadName(workload: Unvalidated<Workload>): string {
  return namespacedName(workload);
}

/** Whether an object is on its way out. */
export function isDeleting(
  object: Unvalidated<{ metadata: { deletionTimestamp?: string } }>,
): boolean {
  return (object?.metadata?.deletionTimestamp ?? undefined) !== undefined;
}
