import type { EpochMillis } from "@jobset-ts/api";
import type { ServerRejection, ServerRequest } from "../api-server/api-request.ts";
import type { WebhookName } from "./webhooks.ts";

/** Faults between a manager and the API server, and of its clock. */
export interface NetworkFaults {
  /** Returns how far the process's clock is ahead of the time, in milliseconds. */
  readonly getClockOffset: (now: EpochMillis) => number;
  /** Returns the delay of a change of a kind that is written now. `undefined` if there is none. */
  readonly getWatchDelay: (kind: string, now: EpochMillis) => WatchDelay | undefined;
  /** Returns what happens to a request. Requests are counted from 1, across restarts of the manager. */
  readonly getRequestFate: (
    request: ServerRequest,
    number: number,
    now: EpochMillis,
  ) => RequestFate;
  /** Returns whether calls of a webhook fail now. */
  readonly isWebhookDown: (webhook: WebhookName, now: EpochMillis) => boolean;
  /** Returns what happens to Events emitted now. Delayed Events that are equal arrive as one. */
  readonly getEventFate: (
    now: EpochMillis,
  ) => "Reported" | "Lost" | { readonly until: EpochMillis };
  /** Whether all changes are kept, so that the manager can list an earlier state. */
  readonly remembersAll: boolean;
}

export interface WatchDelay {
  readonly until: EpochMillis;
  /** Whether the delayed changes arrive as one per object, because the client lists again. */
  readonly collapses: boolean;
}

/** What happens to a request. */
export interface RequestFate {
  /** The additional latency. */
  readonly delayMs?: number;
  /** The request does not reach the API server, and the client gets this reply. */
  readonly rejection?: ServerRejection;
  /** Whether another client writes to the object just before the request is served. */
  readonly hasConflictingWrite?: boolean;
  /** Whether the server executes the request, but its reply is lost. */
  readonly replyLost?: boolean;
  /** Whether the process crashes before it sends the request, or after it is served. */
  readonly crash?: "Before" | "After";
  /** The downtime after the crash. */
  readonly downMs?: number;
}

/** A request without faults. */
export const NO_REQUEST_FAULT: RequestFate = {};

/** A network without faults. */
export const NO_FAULTS: NetworkFaults = {
  getClockOffset: () => 0,
  getWatchDelay: () => undefined,
  getRequestFate: () => NO_REQUEST_FAULT,
  isWebhookDown: () => false,
  getEventFate: () => "Reported",
  remembersAll: false,
};
