import type { PlannedEvent } from "@jobset-ts/core";
import type { ServerReply, ServerRequest } from "../api-server/api-request.ts";
import type { PassAction, PassRun } from "./pass-run.ts";

/** A request of a program, with the callback for its reply. */
interface PendingRequest {
  readonly id: number;
  readonly request: ServerRequest;
  readonly answer: (reply: ServerReply) => void;
}

/** The maximum number of polls of an undecided program without a pending decision. */
const MAX_WAITS = 1_000;

/**
 * A reconcile of a program that decides while it runs, such as an asynchronous function with a client. It sends
 * requests, waits for replies, and finishes at some point. It is mutable, so a simulation with such a reconcile cannot
 * go back.
 *
 * @example
 * const pass = new AsyncReconcile();
 * pass.finish(true);
 * pass.next().action.action // => "Done"
 */
export class AsyncReconcile implements PassRun {
  readonly #new: PendingRequest[] = [];
  readonly #events: PlannedEvent[] = [];
  readonly #pending = new Map<number, PendingRequest>();
  #requestCount = 0;
  #waits = 0;
  #awaiting: (() => void)[] = [];
  #outcome: { readonly ok: boolean; readonly requeueAfterMs?: number } | undefined;

  /**
   * Whether the simulation abandoned the program, because it was polled many times and neither sent a request nor
   * finished. If your program awaits anything besides replies, wait for `waitForDecision` before time advances.
   */
  get isHung(): boolean {
    return this.#waits >= MAX_WAITS;
  }

  /** Whether the program has to act: it waits for no reply, has sent no request or Event, and has not finished. */
  get isUndecided(): boolean {
    const isWaiting = this.#new.length > 0 || this.#pending.size > 0;
    return !isWaiting && this.#events.length === 0 && this.#outcome === undefined;
  }

  /**
   * Resolves when the program sends a request, reports an Event or finishes. Resolves at once if the program does not
   * have to act.
   */
  waitForDecision(): Promise<void> {
    return new Promise((resolve) => {
      if (this.isUndecided) this.#awaiting.push(resolve);
      else resolve();
    });
  }

  /** Sends a request of the program. */
  send(request: ServerRequest): Promise<ServerReply> {
    this.#requestCount += 1;
    const id = this.#requestCount;
    return new Promise((answer) => {
      this.#new.push({ id, request, answer });
      this.#decide();
    });
  }

  /** Reports an Event about the program's object. */
  report(event: PlannedEvent): void {
    this.#events.push(event);
    this.#decide();
  }

  /**
   * Finishes the reconcile.
   *
   * @param requeueAfterMs - when to reconcile again in any case; ignored if the reconcile failed
   */
  finish(ok: boolean, requeueAfterMs?: number): void {
    this.#outcome = { ok, ...(requeueAfterMs !== undefined && { requeueAfterMs }) };
    this.#decide();
  }

  /** Returns the next action of the pass, and the pass after it. */
  next(): { readonly action: PassAction; readonly after: PassRun } {
    return { action: this.#next(), after: this };
  }

  settle(id: number, reply: ServerReply): PassRun {
    this.#pending.get(id)?.answer(reply);
    this.#pending.delete(id);
    return this;
  }

  #decide(): void {
    for (const resolve of this.#awaiting.splice(0)) resolve();
  }

  #next(): PassAction {
    const event = this.#events.shift();
    if (event !== undefined) {
      this.#waits = 0;
      return { action: "Emit", event };
    }
    const request = this.#new.shift();
    if (request !== undefined) {
      this.#waits = 0;
      this.#pending.set(request.id, request);
      return { action: "Perform", id: request.id, request: request.request };
    }
    if (this.#outcome !== undefined) return { action: "Done", events: [], ...this.#outcome };
    if (this.#pending.size > 0) return { action: "Wait" };
    this.#waits += 1;
    if (this.isHung) return { action: "Done", ok: false, events: [] };
    return { action: "Wait", isOpen: true };
  }
}
