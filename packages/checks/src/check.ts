import type { Finding, FindingText } from "./finding.ts";

/** The result of one check for one state. */
export type CheckResult =
  | { readonly outcome: "Pass" }
  | ({ readonly outcome: "Fail" } & CheckFailure)
  /** A fact is missing, so the result is unknown. `message` names the fact. */
  | {
      readonly outcome: "Unknown";
      readonly message: string;
      readonly objects?: Finding["objects"];
      /** The kinds that would have to be read, if those are missing. */
      readonly missing?: readonly string[];
    };

/** Why a check fails; see {@link Finding} for the members. */
export interface CheckFailure
  extends Pick<
    Finding,
    "message" | "statement" | "transient" | "fieldError" | "since" | "status" | "group"
  > {
  /** What helps in this case, instead of the advice of the check. */
  readonly advice?: readonly string[];
  readonly objects?: Finding["objects"];
  readonly evidence?: Finding["evidence"];
}

/** The causal relations of a check. */
export interface CheckDependencies<Id extends string = string> {
  /** Its name in kebab-case, the condition that is true if it passes: `leader-scheduled`. */
  readonly id: Id;
  /** The checks whose failure alone can make this one fail. Indirect causes need not be listed. */
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
  readonly texts?: FindingText;
  /** Answers the question; a function of the view alone. */
  run(view: View): CheckResult;
}
