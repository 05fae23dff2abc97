import type { EpochMillis } from "@jobset-ts/api";
import type { Context } from "@jobset-ts/core";
import type { FilesAndClock } from "../../input/sources.ts";
import {
  type Behavior,
  type BehaviorOptions,
  resolveBehavior,
} from "../../jobset-version/behavior.ts";
import type { Output } from "../../output/report.ts";

/** The options of a reconcile and of its output. */
export interface PassOptions extends BehaviorOptions {
  readonly output: Output;
  /** The time of the reconcile. Absent means now. */
  readonly now?: EpochMillis;
}

/** The context of a reconcile, and the behavior of JobSet. */
export interface PassContext extends Context, Behavior {
  readonly features: Context["features"];
  readonly quirks: Context["quirks"];
}

/** Creates the context of a reconcile from the options for time, version, feature gates and quirks. */
export function createPassContext(
  { now, ...options }: Pick<PassOptions, "now"> & BehaviorOptions,
  clock: FilesAndClock,
): PassContext {
  return { now: now ?? clock.now(), ...resolveBehavior(options) };
}
