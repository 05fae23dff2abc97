import { formatTime, parseTime } from "@jobset-ts/api";

/** The time at which every cluster was read. */
export const readAt = "2026-02-07T10:00:00Z";

const instant = parseTime(readAt) ?? 0;

/** Returns the time this number of seconds before {@link readAt}. */
export function ago(seconds: number): string {
  return formatTime(instant - seconds * 1000);
}
