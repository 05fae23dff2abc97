import type { EpochMillis } from "@jobset-ts/api";
import { START_TIME } from "@jobset-ts/sim/kernel";

/** Formats an instant as the time since the start of the run. */
export function toSeconds(at: EpochMillis): string {
  return `${((at - START_TIME) / 1000).toFixed(3)}s`;
}
