import type { EpochMillis } from "@jobset-ts/api";
import type { KubernetesObject } from "@jobset-ts/api/kubernetes";
import type { Draft } from "immer";
import type { ServerReply, ServerRequest } from "../api-server/api-request.ts";
import type { Objects, Stored } from "../api-server/objects.ts";
import type { WatchEvent } from "../api-server/request-execution.ts";

/**
 * One program of the cluster: a controller, the scheduler, a kubelet, a user. It has a memory, observes changes, and
 * gets turns, as from a work queue. A turn is a value that says what to do, in most cases the key of an object.
 *
 * All its state is in its memory, which is an immutable value.
 */
export interface Component<Memory = unknown, Turn = string> {
  readonly name: string;
  /** The initial memory. */
  readonly memory: Memory;
  /** The kinds whose changes it observes. */
  readonly watches: readonly string[];
  /**
   * Called for each change, in write order. In most cases it requests turns for the affected keys. It must not send
   * requests, because one request can cause several changes.
   */
  readonly observe?: (change: Change, process: Process<Memory, Turn>) => void;
  /** Runs a turn. */
  readonly act: (turn: Turn, process: Process<Memory, Turn>) => void;
  /** Returns the key of a turn. Turns with the same key are the same turn. By default, a turn is its own key. */
  readonly keyOf?: (turn: Turn) => string;
  /** Returns by how many milliseconds each requested turn is delayed. */
  readonly delayMs?: (now: EpochMillis) => number;
  /** Returns how many milliseconds its clock is ahead. Defaults to 0. */
  readonly clockOffsetMs?: (now: EpochMillis) => number;
}

/** A component as the kernel sees it, which does not know its memory and turn types. */
export type AnyComponent = Component<unknown, never>;

/** A write and its author. */
export interface Change extends WatchEvent {
  readonly at: EpochMillis;
  /** The component that sent the request. */
  readonly actor: string;
}

/** Returns the object of a change: its current state, or its last state if it is deleted. */
export function getChangedObject({ before, after }: Change): Stored {
  return (after ?? before) as Stored;
}

/** Updates members of a component's memory. Unlike a stored object, a memory has no member `__proto__`. */
export function updateMemory<Memory extends object>(
  process: Pick<Process<Memory>, "memory">,
  members: Partial<NoInfer<Memory>>,
): void {
  process.memory = Object.assign({}, process.memory, members);
}

/** An Event, as recorded in the cluster's history. */
export interface SimulatedEvent {
  readonly about: KubernetesObject;
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly message: string;
}

/** The environment of a component during a turn. */
export interface Process<Memory, Turn = string> {
  /** Milliseconds since 1970, in virtual time. Use it for durations. */
  readonly now: EpochMillis;
  /** The time of its clock, which can be wrong. Use it for timestamps, and to compare with timestamps of others. */
  readonly clock: EpochMillis;
  /** The stored objects, including this turn's own writes. */
  readonly objects: Objects;
  /** The number of writes so far. */
  readonly revision: number;
  memory: Memory;
  /**
   * Sends a request to the API server, which replies at once.
   *
   * @param actor - the sender, if it is not the component itself
   */
  request(request: ServerRequest, actor?: string): ServerReply;
  /**
   * Changes the stored version of an object. Nothing is sent if nothing changes or the object is gone. With `"status"`,
   * it writes the status.
   */
  edit<Item extends KubernetesObject>(
    object: Item,
    recipe: (draft: Draft<Item>) => void,
    subresource?: "status",
  ): ServerReply | undefined;
  /** Reports an Event about an object. Events are recorded, not stored. */
  report(event: SimulatedEvent): void;
  /** Records a note for observers. No component sees it. */
  note(note: unknown): void;
  /** Requests a turn after at least `afterMs` milliseconds. */
  wake(turn: Turn, afterMs?: number): void;
  /** Cancels a turn. */
  forget(turn: Turn): void;
  /** Returns a random number from 0 (inclusive) to 1 (exclusive), from one of the component's own streams. */
  draw(...stream: readonly (string | number)[]): number;
}
