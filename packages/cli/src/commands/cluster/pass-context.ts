import type { EpochMillis, FeatureGates } from "@jobset-ts/api";
import type { Context } from "@jobset-ts/core";
import type { FilesAndClock } from "../../input/sources.ts";
import type { Output } from "../../output/report.ts";
import { type QuirksName, resolveQuirks } from "./quirks.ts";

/** The options of a pass and of its output. */
export interface PassOptions {
  readonly output: Output;
  readonly featureGates: FeatureGates;
  /** The instant of the pass; absent means now. */
  readonly now?: EpochMillis;
  /** Upstream's defects to reproduce. */
  readonly quirks: QuirksName;
}

/** The time, feature gates and quirks that the command line asks for. */
export function createPassContext(
  { now, featureGates, quirks }: Pick<PassOptions, "now" | "featureGates" | "quirks">,
  clock: FilesAndClock,
): Context {
  return { now: now ?? clock.now(), features: featureGates, quirks: resolveQuirks(quirks) };
}
