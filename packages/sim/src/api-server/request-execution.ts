import type { EpochMillis } from "@jobset-ts/api";
import { asArray } from "@jobset-ts/api/kubernetes";
import { withMembers } from "../with-members.ts";
import type { AdmissionResult } from "./admission-step.ts";
import type { ServerRejection } from "./api-request.ts";
import type { ServedVersions } from "./kind-rules.ts";
import type { Objects, Stored } from "./objects.ts";

/**
 * The API server at one moment: its stored objects, and everything else that its replies depend on. It is an immutable
 * value.
 */
export interface ApiServer extends ServedVersions {
  readonly now: EpochMillis;
  readonly objects: Objects;
  /** The number of writes so far. */
  readonly revision: number;
  /** Returns the five random characters of a generated name. */
  readonly nameSuffix: (prefix: string, attempt: number) => string;
  /** Runs the mutating admission plugins and webhooks, one after the other. */
  readonly mutate: (object: Stored, before: Stored | undefined) => AdmissionResult;
  /** Runs the validating admission plugins and webhooks. */
  readonly validate: (object: Stored, before: Stored | undefined) => ServerRejection | undefined;
}

/** A watch event of any kind: an object was added, modified or deleted. */
export interface WatchEvent {
  readonly verb: "Added" | "Modified" | "Deleted";
  /** The revision after this write. */
  readonly revision: number;
  readonly before: Stored | undefined;
  readonly after: Stored | undefined;
}

/** One request in progress, with its writes so far. */
export class RequestExecution {
  readonly server: ApiServer;
  readonly events: WatchEvent[] = [];

  constructor(server: ApiServer) {
    this.server = server;
  }

  get #nextRevision(): number {
    return this.server.revision + this.events.length + 1;
  }

  newUid(): string {
    return createUid(this.#nextRevision);
  }

  /** Stores a new version of an object under a new resourceVersion, or removes the object. */
  commit(before: Stored | undefined, after: Stored | undefined): Stored {
    const revision = this.#nextRevision;
    const stored = after && withResourceVersion(after, String(revision));
    const verb = before === undefined ? "Added" : after === undefined ? "Deleted" : "Modified";
    this.events.push({ verb, revision, before, after: stored });
    return (stored ?? before) as Stored;
  }
}

/**
 * Stores a new version of an object, unless nothing changed. Removes the object if it was only waiting for its
 * finalizers.
 */
export function storeVersion(serving: RequestExecution, stored: Stored, after: Stored): Stored {
  if (after === stored) return stored;
  const isHeld = asArray(after.metadata.finalizers).length > 0 || isWaitingForGrace(after);
  if (after.metadata.deletionTimestamp === undefined || isHeld)
    return serving.commit(stored, after);
  // The deletion event holds the object as it was before its last finalizer was removed.
  serving.commit(stored, undefined);
  return after;
}

function isWaitingForGrace({ metadata }: Stored): boolean {
  return (metadata.deletionGracePeriodSeconds ?? 0) > 0;
}

/** Returns a frozen object with this resourceVersion. */
function withResourceVersion(object: Stored, resourceVersion: string): Stored {
  const metadata = Object.freeze(withMembers(object.metadata, { resourceVersion }));
  return Object.freeze(withMembers(object, { metadata }));
}

/** Returns the UID of the object that a write creates. The revision makes it unique. */
export function createUid(revision: number): string {
  return `00000000-0000-4000-8000-${revision.toString(16).padStart(12, "0")}`;
}
