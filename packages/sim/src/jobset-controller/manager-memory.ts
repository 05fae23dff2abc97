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

/** The process of a manager, with its memory. */
export type ManagerProcess = Process<ManagerMemory, ManagerTurn>;

/**
 * The memory of JobSet's manager. A crash loses everything except the counters, the requests in flight, and the history
 * that faults need.
 */
export interface ManagerMemory {
  /** Undefined while the process is down. */
  readonly caches: Caches | undefined;
  /** The passes in progress, by the ID of their key. A pass is one reconcile of a key. */
  readonly passes: PersistentMap<Pass>;
  /** The number of consecutive failed passes, by the ID of the key. */
  readonly failures: PersistentMap<number>;
  /**
   * The latest revisions that reconciles of a key wrote, by key and kind. No reconcile of the key starts before the
   * cache has them. If a reply was lost, the object counts as read.
   */
  readonly written: PersistentMap<Readonly<Record<string, number>>>;
  /** The requests in flight and their replies, by number. */
  readonly requests: PersistentMap<SentRequest>;
  /** The number of requests in all lives of the process. */
  readonly requestCount: number;
  /** The number of restarts. */
  readonly life: number;
  /** The end of the current freeze. */
  readonly frozenUntil?: EpochMillis;
  /** The webhooks with a frozen cache, by name, with that cache. */
  readonly staleWebhooks?: Readonly<Record<string, StaleWebhook | undefined>>;
  /** All writes, if a fault needs them. They belong to the simulation, not to the controller's memory. */
  readonly past?: Past | undefined;
  /** The delayed Events, newest first. */
  readonly delayedEvents: readonly SimulatedEvent[];
}

interface StaleWebhook {
  readonly snapshot: Snapshot;
  readonly until: EpochMillis;
}

/** A pass in progress. */
export interface Pass {
  readonly key: PassKey;
  readonly run: PassRun;
  /** The view of the cluster: the caches at the start of the pass. */
  readonly snapshot: Snapshot;
  readonly context: Context;
  /** The object that its Events are about. */
  readonly about: KubernetesObject | undefined;
  /** Whether the key was queued again during the pass. */
  readonly again: boolean;
}

/** A request in flight, or its reply. */
export interface SentRequest {
  readonly life: number;
  /** The pass that sends it. */
  readonly key: PassKey;
  /** The number of the request within the plan execution. */
  readonly id: number;
  readonly request: ServerRequest;
  readonly reply?: ServerReply;
}

/** The memory of a process that has started with an empty cluster. */
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

/** Updates members of a manager's memory. Nearly every turn does this, and copying member by member is ten times as slow. */
export function updateManagerMemory(
  process: ManagerProcess,
  members: Partial<ManagerMemory>,
): void {
  process.memory = Object.assign(copyMemory(process.memory), members);
}

function copyMemory(memory: ManagerMemory): ManagerMemory {
  const { caches, passes, failures, written, requests, requestCount, life } = memory;
  const { frozenUntil, staleWebhooks, past, delayedEvents } = memory;
  return {
    caches,
    passes,
    failures,
    written,
    requests,
    requestCount,
    life,
    frozenUntil,
    staleWebhooks,
    past,
    delayedEvents,
  };
}

/** Returns what survives a crash: the requests on their way to the server, and the counters. */
export function keepAcrossRestart({
  requests,
  requestCount,
  life,
  past,
}: ManagerMemory): ManagerMemory {
  return { ...NEW_MEMORY, caches: undefined, requests, requestCount, life: life + 1, past };
}
