import type { EpochMillis } from "@jobset-ts/api";
import type { ServerRejection, ServerRequest } from "../api-server/api-request.ts";
import type { WebhookName } from "./webhooks.ts";

/** What goes wrong between a manager and the API server, and with its clock. */
export interface NetworkFaults {
  /** How far the process's clock is ahead of the time, in milliseconds. */
  readonly getClockOffset: (now: EpochMillis) => number;
  /** What holds a change of a kind back that is written now; `undefined` when nothing does. */
  readonly getWatchDelay: (kind: string, now: EpochMillis) => WatchDelay | undefined;
  /** Returns what happens to a request. Requests are counted from 1, across restarts of the manager. */
  readonly getRequestFate: (
    request: ServerRequest,
    number: number,
    now: EpochMillis,
  ) => RequestFate;
  /** Whether calls of a webhook fail now. */
  readonly isWebhookDown: (webhook: WebhookName, now: EpochMillis) => boolean;
  /** Returns what happens to Events emitted now. Delayed Events that are equal arrive as one. */
  readonly getEventFate: (now: EpochMillis) => "Told" | "Lost" | { readonly until: EpochMillis };
  /** Whether all changes are kept, so that the manager can list what was there earlier. */
  readonly remembersAll: boolean;
}

export interface WatchDelay {
  readonly until: EpochMillis;
  /** Whether the changes that were held back come as one for each object: the client lists again. */
  readonly collapses: boolean;
}

/** What happens to a request. */
export interface RequestFate {
  /** How long it is on its way beyond what is usual. */
  readonly delayMs?: number;
  /** It does not reach the store, and this is the answer. */
  readonly rejection?: ServerRejection;
  /** Another client writes to the object right before. */
  readonly raced?: boolean;
  /** It is served, and the client hears nothing of it. */
  readonly replyLost?: boolean;
  /** The process dies before it is sent, or once it is served. */
  readonly crash?: "Before" | "After";
  /** For how long the process is down then. */
  readonly downMs?: number;
}

/** A request to which nothing happens. */
export const NO_REQUEST_FAULT: RequestFate = {};

/** A network on which all goes well. */
export const NO_FAULTS: NetworkFaults = {
  getClockOffset: () => 0,
  getWatchDelay: () => undefined,
  getRequestFate: () => NO_REQUEST_FAULT,
  isWebhookDown: () => false,
  getEventFate: () => "Told",
  remembersAll: false,
};
