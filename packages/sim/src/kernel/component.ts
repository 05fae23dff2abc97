import type { Instant } from "@jobset-ts/api";
import type { KubernetesObject } from "@jobset-ts/api/kubernetes";
import type { Draft } from "immer";
import type { ApiReply, ApiRequest } from "../api-server/api-request.ts";
import type { Objects, Stored } from "../api-server/objects.ts";
import { withMembers } from "../with-members.ts";

/**
 * One program of the cluster: a controller, the scheduler, a kubelet, a user. It has a memory of its own, hears of
 * changes, and gets turns to look after keys, as a controller's work queue hands them out.
 *
 * All that it keeps is in its memory, which is a value: it is never changed in place.
 */
export interface Component<Memory = unknown> {
  readonly name: string;
  /** What it remembers when it starts. */
  readonly memory: Memory;
  /** The kinds whose changes it hears of. */
  readonly watches: readonly string[];
  /** Told of each change in the order of the writes. Mostly it wakes the keys that the change is about. */
  readonly observe?: (change: Change, process: Process<Memory>) => void;
  /** Its turn to look after a key. */
  readonly act: (key: string, process: Process<Memory>) => void;
  /** By how many milliseconds each turn that it asks for at an instant comes later than it asks. */
  readonly delayMs?: (now: Instant) => number;
  /** By how many milliseconds its clock is ahead; left open, it is right. */
  readonly clockOffsetMs?: (now: Instant) => number;
}

/** A change that was written. */
export interface Change {
  readonly verb: "Added" | "Modified" | "Deleted";
  /** The cluster's revision by this change. */
  readonly revision: number;
  readonly at: Instant;
  /** The component that asked for it. */
  readonly actor: string;
  readonly before: Stored | undefined;
  readonly after: Stored | undefined;
}

/** The object that a change is about, as it is now, or was last. */
export function objectOf({ before, after }: Change): Stored {
  return (after ?? before) as Stored;
}

/** Sets some of the members of what a component remembers. */
export function remember<Memory extends object>(
  process: Process<Memory>,
  members: Partial<NoInfer<Memory>>,
): void {
  process.memory = withMembers<Memory>(process.memory, members);
}

/** An Event, as far as the cluster's history has it. */
export interface ReportedEvent {
  readonly about: KubernetesObject;
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly message: string;
}

/** What a component works with during a turn. */
export interface Process<Memory> {
  /** Milliseconds since 1970, of virtual time: by it goes what takes a time. */
  readonly now: Instant;
  /** What its own clock says, which may be off: by it goes what is written, and what is compared with what others have written. */
  readonly clock: Instant;
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
  request(request: ApiRequest, actor?: string): ApiReply;
  /**
   * Changes an object as it is stored now; nothing is sent where nothing changes or the object is gone. With `"status"` it
   * is a write of the status.
   */
  edit<Item extends KubernetesObject>(
    object: Item,
    recipe: (draft: Draft<Item>) => void,
    subresource?: "status",
  ): ApiReply | undefined;
  /** Tells users of something that happened to an object, as an Event does; it is heard, not stored. */
  report(event: ReportedEvent): void;
  /** Notes something for those who look on; nobody in the cluster hears of it. */
  note(note: unknown): void;
  /** Asks for a turn of a key, at the earliest after some milliseconds. */
  wake(key: string, afterMs?: number): void;
  /** Takes back the turn of a key. */
  forget(key: string): void;
  /** A number from 0 up to, but not, 1, from the component's own streams. */
  draw(...stream: readonly (string | number)[]): number;
}
