import type { EpochMillis } from "@jobset-ts/api";
import type { AdmissionStep } from "../api-server/admission-step.ts";
import type { KubernetesMinor } from "../api-server/kubernetes-minor.ts";
import { Objects } from "../api-server/objects.ts";
import type { AnyComponent } from "./component.ts";
import { TurnQueue } from "./turn-queue.ts";

/**
 * A whole cluster at one instant, as an immutable value: it can be kept, compared and continued any number of times,
 * always with the same result.
 */
export interface Cluster {
  /** Milliseconds since 1970, of virtual time. */
  readonly now: EpochMillis;
  /** Counts the writes. */
  readonly revision: number;
  readonly objects: Objects;
  /** The turns that are still to come. */
  readonly turns: TurnQueue;
  /** Counts the requested turns. */
  readonly wakes: number;
  /** What each component remembers, by its name. */
  readonly memories: Readonly<Record<string, unknown>>;
}

/** What a cluster is made of, which does not change while it runs. */
export interface ClusterConfig {
  /** Decides everything that is left to chance. */
  readonly seed: number;
  /** At one instant the turns of earlier ones come first. */
  readonly components: readonly AnyComponent[];
  readonly admission: readonly AdmissionStep[];
  /** The API server's; left open, the latest. */
  readonly kubernetes?: KubernetesMinor;
  /** By how many milliseconds the API server's clock is ahead; left open, it is right. */
  readonly clockOffsetMs?: (now: EpochMillis) => number;
}

/** When clusters begin, so that times are short to read. */
export const START_TIME: EpochMillis = Date.UTC(2026, 0, 1);

/** A time of a run, in milliseconds since it began. */
export interface Span {
  readonly from: number;
  readonly until: number;
}

/** Reports whether an instant is in a span. The end is exclusive. */
export function isWithin({ from, until }: Span, now: EpochMillis): boolean {
  return now >= START_TIME + from && now < START_TIME + until;
}

/** Creates an empty cluster, in which nothing happens until a component is woken. */
export function newCluster({ components }: ClusterConfig): Cluster {
  const memories = Object.fromEntries(components.map(({ name, memory }) => [name, memory]));
  return {
    now: START_TIME,
    revision: 0,
    objects: Objects.none,
    turns: TurnQueue.empty,
    wakes: 0,
    memories,
  };
}
