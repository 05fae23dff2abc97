import type { Difference } from "../compare.ts";
import type { RecordedCase } from "../read-cases.ts";

/** Which of upstream's defects a replay reproduces: all of them, as recorded, or none. */
export type QuirkMode = "upstream" | "none";

/** What a family receives besides the input. */
export interface ReplayContext {
  readonly quirks: QuirkMode;
  readonly tags: readonly string[];
}

/** What a family answers to one input. */
export interface Replayed {
  /** In the shape of the recorded output. */
  readonly output: unknown;
  /**
   * The quirks that explain why this result differs from upstream's. They count only under `--quirks none`, where an
   * explained difference is not a failure and is counted for each quirk.
   */
  readonly explainedBy?: readonly string[];
}

/** A function of upstream whose recorded decisions we replay. */
export interface Family {
  /** The part of a case's id before its first `/`. */
  readonly family: string;
  /** Our answer to a recorded input. What it throws is reported as the difference. */
  replay(input: unknown, context: ReplayContext): Replayed;
  /**
   * Where the answer differs, when the ordinary comparison does not fit: by default both sides lose what only
   * Go's encoder adds, and the rest has to be the same.
   */
  compare?(expected: unknown, actual: unknown, recorded: RecordedCase): readonly Difference[];
}
