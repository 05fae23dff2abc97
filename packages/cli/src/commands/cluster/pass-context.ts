import type { EpochMillis, FeatureGates } from "@jobset-ts/api";
import type { Context } from "@jobset-ts/core";
import type { FilesAndClock } from "../../input/sources.ts";
import type { Output } from "../../output/report.ts";
import { type QuirksName, resolveQuirks } from "./quirks.ts";

/** The options of a reconcile and of its output. */
export interface PassOptions {
  readonly output: Output;
  readonly featureGates: FeatureGates;
  /** The time of the reconcile. Absent means now. */
  readonly now?: EpochMillis;
  /** The upstream defects to reproduce. */
  readonly quirks: QuirksName;
}

/** Creates the context of a reconcile from the options for time, feature gates and quirks. */
export function createPassContext(
  { now, featureGates, quirks }: Pick<PassOptions, "now" | "featureGates" | "quirks">,
  clock: FilesAndClock,
): Context {
  return { now: now ?? clock.now(), features: featureGates, quirks: resolveQuirks(quirks) };
}
