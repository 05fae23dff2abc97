import type { Instant } from "@jobset-ts/api";
import type { ApiRefusal } from "../api-server/api-request.ts";

/** What goes wrong between a manager and the API server, and with its clock. */
export interface NetworkFaults {
  /** How far the process's clock is ahead of the time. */
  readonly clockOffsetMs: number;
  /** How long a change of a kind that is written now takes into the caches; `undefined` when nothing holds it back. */
  readonly watchLagMs: (kind: string, now: Instant) => number | undefined;
  /** How long the request of a number is on its way; `undefined` when nothing holds it back. */
  readonly requestDelayMs: (request: number) => number | undefined;
  readonly fateOf: (request: number) => RequestFate;
}

/** What becomes of a request. */
export interface RequestFate {
  /** It does not reach the store, and this is the answer. */
  readonly refused?: ApiRefusal;
  /** It is served, and the client hears nothing of it. */
  readonly replyLost?: boolean;
  /** The process dies before it is sent, or once it is served. */
  readonly crash?: "Before" | "After";
  /** For how long the process is down then. */
  readonly downMs: number;
}

const SERVED: RequestFate = { downMs: 0 };

/** A network on which all goes well. */
export const NO_FAULTS: NetworkFaults = {
  clockOffsetMs: 0,
  watchLagMs: () => undefined,
  requestDelayMs: () => undefined,
  fateOf: () => SERVED,
};
