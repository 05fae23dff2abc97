/**
 * Waits, but no longer than until the signal is given; on the global timer, so that tests can bring a clock.
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
 * Any number of waits that end together. One signal for all would do, but runtimes take more than ten listeners of one
 * for a leak, and say so on standard error.
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

  /** Ends each wait, and those that would begin from now on. */
  end(): void {
    this.#areOver = true;
    for (const wait of this.#waits) wait.abort();
  }
}
