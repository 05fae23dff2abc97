/**
 * Waits until the time has passed or the signal aborts. Uses the global timer, so that tests can replace the clock.
 *
 * @example await sleep(60_000, AbortSignal.abort()) // => undefined
 */
export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", wake);
      resolve();
    };
    const timer = setTimeout(wake, milliseconds);
    signal?.addEventListener("abort", wake);
    if (signal?.aborted) wake();
  });
}

/**
 * Waits that can be ended together. Runtimes report more than ten listeners on one signal as a leak, so the waits do
 * not share a signal.
 */
export class Sleeper {
  readonly #waits = new Set<AbortController>();
  #areOver = false;

  /** Whether {@link Sleeper.end} was called. */
  get areOver(): boolean {
    return this.#areOver;
  }

  async sleep(milliseconds: number): Promise<void> {
    if (this.#areOver) return;
    const wait = new AbortController();
    this.#waits.add(wait);
    await sleep(milliseconds, wait.signal);
    this.#waits.delete(wait);
  }

  /** Ends all current waits, and all later ones at once. */
  end(): void {
    this.#areOver = true;
    for (const wait of this.#waits) wait.abort();
  }
}
