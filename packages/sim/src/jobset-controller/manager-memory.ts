import type { EpochMillis } from "@jobset-ts/api";
import type { KubernetesObject } from "@jobset-ts/api/kubernetes";
import type { Context, Snapshot } from "@jobset-ts/core";
import { emptyMap, type PersistentMap } from "@jobset-ts/core/persistent-map";
import type { ServerReply, ServerRequest } from "../api-server/api-request.ts";
import { Objects } from "../api-server/objects.ts";
import type { Process, SimulatedEvent } from "../kernel/component.ts";
import { type Caches, createCaches, type Past } from "./caches.ts";
import type { ManagerTurn } from "./manager-turn.ts";
import type { PassKey, PassRun } from "./pass-run.ts";

/** A turn of a manager, with its memory. */
export type ManagerProcess = Process<ManagerMemory, ManagerTurn>;

/**
 * What JobSet's manager remembers. When it crashes all of it is lost but for the counts, the requests that are on their way, and
 * the past that faults ask for.
 */
export interface ManagerMemory {
  /** Absent while the process is down. */
  readonly caches: Caches | undefined;
  /** The passes under way, by the ID of their key. */
  readonly passes: PersistentMap<Pass>;
  /** How often in a row the passes of a key have failed, by the ID of the key. */
  readonly failures: PersistentMap<number>;
  /**
   * The latest revisions that reconciles of a key wrote, by key and kind. No reconcile of the key starts before the
   * cache has them. If a reply was lost, the object counts as read.
   */
  readonly written: PersistentMap<Readonly<Record<string, number>>>;
  /** The requests on their way and the answers to them, by number. */
  readonly requests: PersistentMap<SentRequest>;
  /** Counts the requests of all its lives. */
  readonly requestCount: number;
  /** Counts its lives. */
  readonly life: number;
  /** Until when it does nothing. */
  readonly frozenUntil?: EpochMillis;
  /** The webhooks that hear of nothing for a time, and what they know, by name. */
  readonly staleWebhooks?: Readonly<Record<string, StaleWebhook | undefined>>;
  /** All writes, if a fault needs them. They belong to the simulation, not to the controller's memory. */
  readonly past?: Past | undefined;
  /** The Events that are held up, the newest first. */
  readonly delayedEvents: readonly SimulatedEvent[];
}

interface StaleWebhook {
  readonly snapshot: Snapshot;
  readonly until: EpochMillis;
}

/** A pass under way. */
export interface Pass {
  readonly key: PassKey;
  readonly run: PassRun;
  /** What it sees, as its caches were when it began. */
  readonly snapshot: Snapshot;
  readonly context: Context;
  /** What its Events are about. */
  readonly about: KubernetesObject | undefined;
  /** Whether the key was added again meanwhile. */
  readonly again: boolean;
}

/** A request on its way, or its reply. */
export interface SentRequest {
  readonly life: number;
  /** The pass that sends it. */
  readonly key: PassKey;
  /** As the run of the plan numbers it. */
  readonly id: number;
  readonly request: ServerRequest;
  readonly reply?: ServerReply;
}

/** What a process remembers that has started and has seen an empty cluster. */
export const NEW_MEMORY: ManagerMemory = {
  caches: createCaches(Objects.none, 0),
  passes: emptyMap(),
  failures: emptyMap(),
  written: emptyMap(),
  requests: emptyMap(),
  requestCount: 0,
  life: 0,
  delayedEvents: [],
};

/** What is left of a process that has died: what is under way to the server, and counts. */
export function keepAcrossRestart({
  requests,
  requestCount,
  life,
  past,
}: ManagerMemory): ManagerMemory {
  return { ...NEW_MEMORY, caches: undefined, requests, requestCount, life: life + 1, past };
}
