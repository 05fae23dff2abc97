import type { EpochMillis } from "@jobset-ts/api";
import type { KubernetesObject } from "@jobset-ts/api/kubernetes";
import type { Draft } from "immer";
import type { ServerReply, ServerRequest } from "../api-server/api-request.ts";
import type { WatchEvent } from "../api-server/api-server.ts";
import type { Objects, Stored } from "../api-server/objects.ts";
import { withMembers } from "../with-members.ts";

/**
 * One program of the cluster: a controller, the scheduler, a kubelet, a user. It has a memory, sees changes, and gets
 * turns, as from a work queue. A turn is a value that says what to do, mostly the key of an object.
 *
 * All its state is in its memory, which is an immutable value.
 */
export interface Component<Memory = unknown, Turn = string> {
  readonly name: string;
  /** What it remembers when it starts. */
  readonly memory: Memory;
  /** The kinds whose changes it hears of. */
  readonly watches: readonly string[];
  /**
   * Told of each change in the order of the writes. Mostly it asks for turns of the keys that the change is about. It sends no
   * requests: one may have written more than the change.
   */
  readonly observe?: (change: Change, process: Process<Memory, Turn>) => void;
  /** Takes a turn. */
  readonly act: (turn: Turn, process: Process<Memory, Turn>) => void;
  /** Returns the key of a turn. Turns with the same key are the same turn. Left open, a turn is its own key. */
  readonly keyOf?: (turn: Turn) => string;
  /** By how many milliseconds each turn that it asks for at an instant comes later than it asks. */
  readonly delayMs?: (now: EpochMillis) => number;
  /** By how many milliseconds its clock is ahead; left open, it is right. */
  readonly clockOffsetMs?: (now: EpochMillis) => number;
}

/** A component of which only the kernel's view matters: its memory and its turns are its own. */
export type AnyComponent = Component<unknown, never>;

/** A write, and its author. */
export interface Change extends WatchEvent {
  readonly at: EpochMillis;
  /** The component that asked for it. */
  readonly actor: string;
}

/** The object that a change is about, as it is now, or was last. */
export function getChangedObject({ before, after }: Change): Stored {
  return (after ?? before) as Stored;
}

/** Sets some of the members of what a component remembers. */
export function updateMemory<Memory extends object>(
  process: Pick<Process<Memory>, "memory">,
  members: Partial<NoInfer<Memory>>,
): void {
  process.memory = withMembers<Memory>(process.memory, members);
}

/** An Event, as far as the cluster's history has it. */
export interface SimulatedEvent {
  readonly about: KubernetesObject;
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly message: string;
}

/** What a component works with during a turn. */
export interface Process<Memory, Turn = string> {
  /** Milliseconds since 1970, of virtual time: by it goes what takes a time. */
  readonly now: EpochMillis;
  /** What its own clock says, which may be off: by it goes what is written, and what is compared with what others have written. */
  readonly clock: EpochMillis;
  /** What is stored now, this turn's own writes included. */
  readonly objects: Objects;
  /** Counts the writes so far. */
  readonly revision: number;
  memory: Memory;
  /**
   * Sends a request to the API server, which answers at once.
   *
   * @param actor - who sends it, where that is somebody else than the component
   */
  request(request: ServerRequest, actor?: string): ServerReply;
  /**
   * Changes an object as it is stored now; nothing is sent where nothing changes or the object is gone. With `"status"` it
   * is a write of the status.
   */
  edit<Item extends KubernetesObject>(
    object: Item,
    recipe: (draft: Draft<Item>) => void,
    subresource?: "status",
  ): ServerReply | undefined;
  /** Tells users of something that happened to an object, as an Event does; it is heard, not stored. */
  report(event: SimulatedEvent): void;
  /** Records a note for observers. No component sees it. */
  note(note: unknown): void;
  /** Asks for a turn, at the earliest after some milliseconds. */
  wake(turn: Turn, afterMs?: number): void;
  /** Takes a turn back. */
  forget(turn: Turn): void;
  /** A number from 0 up to, but not, 1, from the component's own streams. */
  draw(...stream: readonly (string | number)[]): number;
}
