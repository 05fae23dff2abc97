import { setTimeout } from "node:timers/promises";

/** Long enough for a busy machine, and shorter than a test may take. */
const TIMEOUT_MS = 240_000;

/**
 * Waits until a claim is true.
 *
 * @throws Error after a while, with what was to become true
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
