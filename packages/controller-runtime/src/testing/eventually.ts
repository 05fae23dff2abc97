import { setTimeout } from "node:timers/promises";

/**
 * Waits until a claim is true.
 *
 * @throws Error after a while, with what was to become true
 */
export async function eventually(
  claim: string,
  isTrue: () => boolean | Promise<boolean>,
  withinMs = 30_000,
): Promise<void> {
  const untilMs = Date.now() + withinMs;
  while (!(await isTrue())) {
    if (Date.now() > untilMs) throw new Error(`it does not come true that ${claim}`);
    await setTimeout(5);
  }
}
