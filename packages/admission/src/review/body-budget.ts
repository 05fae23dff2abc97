import type { Deadline } from "./deadline.ts";

/** A body from the arrival of its request to the response. The budget maintains its members. */
export interface Body {
  /** The number of received bytes. */
  bytes: number;
  /** Whether the body ever had to wait. */
  hasWaited: boolean;
}

/** The share of the capacity that all bodies may use together. */
const SHARED_PART = 1 / 2;

/**
 * Limits the bytes of all request bodies that are being read.
 *
 * Only received bytes count, because headers may claim anything, and a client that sends nothing must not block others.
 * While less than half of the capacity is used, all bodies are read in parallel. The other half is reserved for as many
 * of the oldest incomplete bodies as fit. Only those are read further. So bodies complete in order of arrival, and no
 * two wait for each other.
 *
 * A piece that was requested before the capacity was used up still arrives, so that each body may exceed it by one
 * piece.
 */
export class BodyBudget {
  readonly #capacity: number;
  readonly #shared: number;
  readonly #oldestCount: number;
  /** Incomplete bodies in order of arrival. */
  readonly #partial = new Set<Body>();
  readonly #waiting = new Map<Body, () => void>();
  #bytes = 0;
  #completeCount = 0;

  /**
   * @param capacity - in bytes
   * @param largest - the maximum size of one body, in bytes; at most `capacity`
   */
  constructor(capacity: number, largest: number) {
    this.#capacity = capacity;
    this.#shared = Math.min(SHARED_PART * capacity, capacity - largest);
    this.#oldestCount = Math.max(1, Math.floor((capacity - this.#shared) / largest));
  }

  /** Registers a new body. Each body that enters must leave. */
  enter(): Body {
    const body = { bytes: 0, hasWaited: false };
    this.#partial.add(body);
    return body;
  }

  /** Waits until a body may be read further. Returns false if the deadline passes first. */
  async waitForTurn(body: Body, deadline: Deadline): Promise<boolean> {
    if (this.#mayContinue(body)) return true;
    body.hasWaited = true;
    const { outcome } = await deadline.runBefore(
      () => new Promise<void>((resolve) => this.#waiting.set(body, resolve)),
    );
    this.#waiting.delete(body);
    return outcome === "Done";
  }

  /** Records a received piece of a body. */
  add(body: Body, bytes: number): void {
    body.bytes += bytes;
    this.#bytes += bytes;
  }

  /**
   * Records that a body is complete. From now on, it does not wait for other bodies, so it will
   * leave.
   */
  markComplete(body: Body): void {
    if (this.#partial.delete(body)) this.#completeCount += 1;
    this.#resumeWaiting();
  }

  /** Records that the response to the request was sent. */
  removeBody(body: Body): void {
    if (!this.#partial.delete(body)) this.#completeCount -= 1;
    this.#bytes -= body.bytes;
    this.#resumeWaiting();
  }

  #mayContinue(body: Body): boolean {
    if (this.#bytes < this.#shared) return true;
    // Only complete bodies leave the budget without another read. If there are none, waiting has no effect.
    const mayReadOldest = this.#bytes < this.#capacity || this.#completeCount === 0;
    return mayReadOldest && this.#oldest().includes(body);
  }

  #resumeWaiting(): void {
    const all = this.#bytes < this.#shared ? this.#waiting.keys() : this.#oldest();
    for (const body of all) {
      if (!this.#mayContinue(body)) return;
      this.#waiting.get(body)?.();
      this.#waiting.delete(body);
    }
  }

  #oldest(): readonly Body[] {
    const oldest: Body[] = [];
    for (const body of this.#partial) {
      if (oldest.push(body) >= this.#oldestCount) break;
    }
    return oldest;
  }
}
