import type { WebSignal } from "./web.ts";

/** What became of something that was waited for. */
export type Outcome<Value> =
  | { readonly outcome: "Done"; readonly value: Value }
  | { readonly outcome: "Failed"; readonly error: unknown }
  | { readonly outcome: "Late" };

/** Waits for things, but not for ever: no longer than until a signal aborts. */
export class Deadline {
  readonly #passed: Promise<{ readonly outcome: "Late" }>;

  constructor(signal: WebSignal) {
    this.#passed = new Promise((resolve) => {
      const pass = () => resolve({ outcome: "Late" });
      signal.addEventListener("abort", pass);
      if (signal.aborted) pass();
    });
  }

  /**
   * What `start` comes to, whether it answers, throws, rejects or hangs. What comes late is dropped, errors included.
   */
  before<Value>(start: () => Value | PromiseLike<Value>): Promise<Outcome<Value>> {
    return Promise.race([outcomeOf(start), this.#passed]);
  }
}

async function outcomeOf<Value>(start: () => Value | PromiseLike<Value>): Promise<Outcome<Value>> {
  try {
    return { outcome: "Done", value: await start() };
  } catch (error) {
    return { outcome: "Failed", error };
  }
}
