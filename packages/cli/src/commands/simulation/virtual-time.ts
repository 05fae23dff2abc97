import type { EpochMillis } from "@jobset-ts/api";
import { START_TIME } from "@jobset-ts/sim/kernel";

/** How long after the beginning of a run an instant is. */
export function toSeconds(at: EpochMillis): string {
  return `${((at - START_TIME) / 1000).toFixed(3)}s`;
}
