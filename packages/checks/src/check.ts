import type { Finding, FindingText } from "./finding.ts";

/** What one check says of one state. */
export type CheckResult =
  | { readonly outcome: "Pass" }
  | ({ readonly outcome: "Fail" } & CheckFailure)
  /** A fact is missing, so that neither can be said; `message` names it. */
  | {
      readonly outcome: "Unknown";
      readonly message: string;
      readonly objects?: Finding["objects"];
      /** The kinds of objects that would have to be read, where that is the fact. */
      readonly missing?: readonly string[];
    };

/** Why a check fails; see {@link Finding} for the members. */
export interface CheckFailure
  extends Pick<Finding, "message" | "statement" | "transient" | "fieldError"> {
  readonly objects?: Finding["objects"];
  readonly evidence?: Finding["evidence"];
}

/** A check as far as the order of checks is concerned. */
export interface CheckDependencies<Id extends string = string> {
  /** Its name in kebab-case, the condition that holds when it passes: `leader-scheduled`. */
  readonly id: Id;
  /** The checks whose failure can by itself make this one fail. Causes of causes need not be listed. */
  readonly causes: readonly Id[];
  /**
   * The checks that have to pass before this one means anything: when one does not, this one is blocked, and is not
   * run. Each is a cause, or a cause of one. By default none.
   */
  readonly needs?: readonly Id[];
}

/**
 * One question about a request, answered from a view of the request and the cluster. Its findings carry all texts,
 * including `words`, so that a report needs only the findings.
 */
export interface Check<View, Id extends string = string> extends CheckDependencies<Id> {
  /** Texts that all findings of this check have. Default: only the finding's own message. */
  readonly words?: FindingText;
  /** Answers the question; a function of the view alone. */
  run(view: View): CheckResult;
}
