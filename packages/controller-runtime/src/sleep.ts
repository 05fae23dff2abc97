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
