import type { Instant } from "@jobset-ts/api";
import { BEGINNING } from "@jobset-ts/sim/kernel";

/** How long after the beginning of a run an instant is. */
export function secondsOf(at: Instant): string {
  return `${((at - BEGINNING) / 1000).toFixed(3)}s`;
}
