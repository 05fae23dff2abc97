import type { PlannedEvent } from "@jobset-ts/core";
import type { ServerReply, ServerRequest } from "../api-server/api-request.ts";
import type { PassAction, PassRun } from "./pass-run.ts";

/** A request of a program, and who waits for the answer. */
interface PendingRequest {
  readonly id: number;
  readonly request: ServerRequest;
  readonly answer: (reply: ServerReply) => void;
}

/** How often an undecided program is polled if nothing waits for its decision. */
const MAX_WAITS = 1_000;

/**
 * A reconcile of a program that decides as it runs, such as an asynchronous function with a client: it sends requests,
 * waits for replies, and finishes at some point. It is mutable, so a run with such a reconcile only goes forward.
 *
 * @example
 * const pass = new AsyncReconcile();
 * pass.finish(true);
 * pass.next().action.action // => "Done"
 */
export class AsyncReconcile implements PassRun {
  readonly #new: PendingRequest[] = [];
  readonly #events: PlannedEvent[] = [];
  readonly #underWay = new Map<number, PendingRequest>();
  #asked = 0;
  #waits = 0;
  #awaiting: (() => void)[] = [];
  #outcome: { readonly ok: boolean; readonly requeueAfterMs?: number } | undefined;

  /**
   * Whether the program was abandoned, because it was polled many times and neither sent a request nor finished. If
   * your program awaits more than replies, wait for `decided` before time continues.
   */
  get isHung(): boolean {
    return this.#waits >= MAX_WAITS;
  }

  /** Whether it is the program's turn: it waits for no answer, and has neither asked nor told of anything, nor come to an end. */
  get isUndecided(): boolean {
    const isWaiting = this.#new.length > 0 || this.#underWay.size > 0;
    return !isWaiting && this.#events.length === 0 && this.#outcome === undefined;
  }

  /** Resolves once the program asks, tells of something or has finished; at once where it is not its turn. */
  decided(): Promise<void> {
    return new Promise((resolve) => {
      if (this.isUndecided) this.#awaiting.push(resolve);
      else resolve();
    });
  }

  /** The program sends a request. */
  ask(request: ServerRequest): Promise<ServerReply> {
    this.#asked += 1;
    const id = this.#asked;
    return new Promise((answer) => {
      this.#new.push({ id, request, answer });
      this.#decide();
    });
  }

  /** The program tells of something in an Event about its object. */
  report(event: PlannedEvent): void {
    this.#events.push(event);
    this.#decide();
  }

  /**
   * The program is through.
   *
   * @param requeueAfterMs - when it wants to look again, whatever happens; of no use where it has failed
   */
  finish(ok: boolean, requeueAfterMs?: number): void {
    this.#outcome = { ok, ...(requeueAfterMs !== undefined && { requeueAfterMs }) };
    this.#decide();
  }

  /** What the pass does next, and the pass as it is after that. */
  next(): { readonly action: PassAction; readonly after: PassRun } {
    return { action: this.#next(), after: this };
  }

  settle(id: number, reply: ServerReply): PassRun {
    this.#underWay.get(id)?.answer(reply);
    this.#underWay.delete(id);
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
    const asked = this.#new.shift();
    if (asked !== undefined) {
      this.#waits = 0;
      this.#underWay.set(asked.id, asked);
      return { action: "Perform", id: asked.id, request: asked.request };
    }
    if (this.#outcome !== undefined) return { action: "Done", events: [], ...this.#outcome };
    if (this.#underWay.size > 0) return { action: "Wait" };
    this.#waits += 1;
    if (this.isHung) return { action: "Done", ok: false, events: [] };
    return { action: "Wait", isOpen: true };
  }
}
