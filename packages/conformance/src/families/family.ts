import type { Quirks } from "@jobset-ts/core";
import type { Difference } from "../compare.ts";
import type { RecordedCase } from "../read-cases.ts";

/** The upstream quirks that a replay reproduces: all of main's, as recorded, none, or those of a release. */
export type QuirkMode = "upstream" | "none" | Quirks;

/** The context of a replay, in addition to the input. */
export interface ReplayContext {
  readonly quirks: QuirkMode;
  readonly tags: readonly string[];
}

/** The result of replaying one input. */
export interface ReplayResult {
  /** The output in the format of the recordings. */
  readonly output: unknown;
  /**
   * The quirks that explain why this result differs from upstream's. They count only under `--quirks none`, where an
   * explained difference is not a failure and is counted for each quirk.
   */
  readonly explainedBy?: readonly string[];
}

/** A function of upstream whose recorded decisions are replayed. */
export interface Family {
  /** The part of a case's id before its first `/`. */
  readonly family: string;
  /** Returns our result for a recorded input. A thrown error is reported as the difference. */
  replay(input: unknown, context: ReplayContext): ReplayResult;
  /**
   * Replaces the default comparison. By default, the additions of Go's encoder are removed from both sides, and the
   * rest must be equal.
   */
  compare?(expected: unknown, actual: unknown, recorded: RecordedCase): readonly Difference[];
}
