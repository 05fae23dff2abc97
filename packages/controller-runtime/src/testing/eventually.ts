import { setTimeout } from "node:timers/promises";

/** Long enough for a busy machine, and shorter than the timeout of a test. */
const TIMEOUT_MS = 240_000;

/**
 * Waits until an assertion holds.
 *
 * @throws Error after a timeout, with the failed assertion
 */
export async function eventually(
  claim: string,
  isTrue: () => boolean | Promise<boolean>,
): Promise<void> {
  const untilMs = Date.now() + TIMEOUT_MS;
  while (!(await isTrue())) {
    if (Date.now() > untilMs) throw new Error(`it does not come true that ${claim}`);
    await setTimeout(5);
  }
}
