import type { Context } from "@jobset-ts/core";
import type { FilesAndClock } from "./input/sources.ts";
import type { PassOptions } from "./options.ts";

/** The time, feature gates and quirks that the command line asks for. */
export function passContext(
  { now, featureGates, quirks }: Pick<PassOptions, "now" | "featureGates" | "quirks">,
  clock: FilesAndClock,
): Context {
  return { now: now ?? clock.now(), features: featureGates, quirks };
}
