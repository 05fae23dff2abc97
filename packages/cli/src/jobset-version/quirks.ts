import { NO_QUIRKS, type Quirks, UPSTREAM_QUIRKS } from "@jobset-ts/core";

/** The values of `--quirks`: all upstream defects, or none. */
export type QuirksName = "upstream" | "none";

/** Returns the quirks for a value of `--quirks`. */
export function resolveQuirks(name: QuirksName): Quirks {
  return name === "upstream" ? UPSTREAM_QUIRKS : NO_QUIRKS;
}
