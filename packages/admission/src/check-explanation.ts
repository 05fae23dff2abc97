import type { Finding } from "./verdict.ts";

/** How a failed check is told to a person who asks why. */
export interface CheckExplanation {
  /** What the failure is called in an explanation, such as `leader-unscheduled`; by default the check's name. */
  readonly id?: string;
  /** The statement; by default the finding's message. */
  readonly text?: (finding: Finding) => string;
  /** What to do when this is the root cause. */
  readonly advice?: readonly string[];
  /** Whether no client is ever told of this check: it is behind those of which clients are told. */
  readonly isBehind?: boolean;
  /** What comes between this failure and its nearest cause, when that is one of these checks. */
  readonly between?: {
    readonly causes: readonly string[];
    readonly id: string;
    readonly text: string;
  };
}
