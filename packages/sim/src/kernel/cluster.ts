import type { EpochMillis } from "@jobset-ts/api";
import type { StructuralSchema } from "@jobset-ts/crd";
import type { AdmissionStep } from "../api-server/admission-step.ts";
import type { KubernetesMinor } from "../api-server/kubernetes-minor.ts";
import { Objects } from "../api-server/objects.ts";
import type { AnyComponent } from "./component.ts";
import { Memories } from "./memories.ts";
import { TurnQueue } from "./turn-queue.ts";

/**
 * A whole cluster at one instant, as an immutable value. You can keep it, compare it and continue it any number of
 * times, always with the same result.
 */
export interface Cluster {
  /** Milliseconds since 1970, in virtual time. */
  readonly now: EpochMillis;
  /** The number of writes. */
  readonly revision: number;
  readonly objects: Objects;
  /** The pending turns. */
  readonly turns: TurnQueue;
  /** The number of requested turns. */
  readonly wakes: number;
  /** The memory of each component. */
  readonly memories: Memories;
}

/** The configuration of a cluster. It does not change during a run. */
export interface ClusterConfig {
  /** The seed of all random decisions. */
  readonly seed: number;
  /** Turns at the same instant run in this order. */
  readonly components: readonly AnyComponent[];
  readonly admission: readonly AdmissionStep[];
  /** The minor version of the API server. Defaults to the latest. */
  readonly kubernetes?: KubernetesMinor;
  /** The schema of JobSet's CustomResourceDefinition. Default: that of upstream's main branch. */
  readonly jobSetSchema?: StructuralSchema;
  /** Returns how many milliseconds the API server's clock is ahead. Defaults to 0. */
  readonly clockOffsetMs?: (now: EpochMillis) => number;
}

/** The start time of all clusters. It keeps times short in output. */
export const START_TIME: EpochMillis = Date.UTC(2026, 0, 1);

/** A time span of a run, in milliseconds since its start. */
export interface Span {
  readonly from: number;
  readonly until: number;
}

/** Returns whether an instant is in a span. The end is exclusive. */
export function isWithin({ from, until }: Span, now: EpochMillis): boolean {
  return now >= START_TIME + from && now < START_TIME + until;
}

/** Creates an empty cluster. Nothing happens until a component is woken. */
export function newCluster({ components }: ClusterConfig): Cluster {
  return {
    now: START_TIME,
    revision: 0,
    objects: Objects.none,
    turns: TurnQueue.empty,
    wakes: 0,
    memories: Memories.createFor(components),
  };
}
