import type { WebSignal } from "./web.ts";

/** The outcome of a wait. */
export type Outcome<Value> =
  | { readonly outcome: "Done"; readonly value: Value }
  | { readonly outcome: "Failed"; readonly error: unknown }
  | { readonly outcome: "Late" };

/**
 * Waits for promises until a signal aborts. A closed deadline has no listener on its signal. A finished wait keeps
 * neither the waiting caller nor the promise alive, however long the promise takes.
 */
export class Deadline {
  readonly #signal: WebSignal;
  readonly #waits = new Set<{ end(outcome: LateOutcome): void }>();
  readonly #pass = () => {
    for (const wait of this.#waits) wait.end(late);
  };

  constructor(signal: WebSignal) {
    this.#signal = signal;
    signal.addEventListener("abort", this.#pass);
  }

  /**
   * Runs `start` until the deadline, whether it returns, throws, rejects or hangs. Late results and errors are dropped.
   */
  runBefore<Value>(start: () => Value | PromiseLike<Value>): Promise<Outcome<Value>> {
    return new Promise((resolve) => {
      const wait = new DeadlineWait(resolve, this.#waits);
      void settleWait(wait, startSafely(start));
      if (this.#signal.aborted) wait.end(late);
    });
  }

  /** Removes the listener from the signal. */
  close(): void {
    this.#signal.removeEventListener("abort", this.#pass);
  }
}

type LateOutcome = { readonly outcome: "Late" };

const late: LateOutcome = { outcome: "Late" };

/** A wait for the first outcome. */
class DeadlineWait<Value> {
  #resolve: ((outcome: Outcome<Value>) => void) | undefined;
  readonly #waits: Set<{ end(outcome: LateOutcome): void }>;

  constructor(
    resolve: (outcome: Outcome<Value>) => void,
    waits: Set<{ end(outcome: LateOutcome): void }>,
  ) {
    this.#resolve = resolve;
    this.#waits = waits;
    waits.add(this);
  }

  end(outcome: Outcome<Value>): void {
    this.#waits.delete(this);
    this.#resolve?.(outcome);
    this.#resolve = undefined;
  }
}

function startSafely<Value>(start: () => Value | PromiseLike<Value>): Promise<Value> {
  try {
    return Promise.resolve(start());
  } catch (error) {
    return Promise.reject(error);
  }
}

/** A separate function, because a promise that never settles keeps this call and everything in its scope alive. */
async function settleWait<Value>(
  wait: DeadlineWait<Value>,
  promise: Promise<Value>,
): Promise<void> {
  try {
    wait.end({ outcome: "Done", value: await promise });
  } catch (error) {
    wait.end({ outcome: "Failed", error });
  }
}
