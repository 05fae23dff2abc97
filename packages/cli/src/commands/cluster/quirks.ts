import { NO_QUIRKS, type Quirks, UPSTREAM_QUIRKS } from "@jobset-ts/core";

/** How the command line names quirks: all of upstream's defects, or none. */
export type QuirksName = "upstream" | "none";

/** Returns the quirks of a name. */
export function resolveQuirks(name: QuirksName): Quirks {
  return name === "upstream" ? UPSTREAM_QUIRKS : NO_QUIRKS;
}
