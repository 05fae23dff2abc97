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
      /** The kinds that must be read to know the result, if they were not read. */
      readonly missing?: readonly string[];
    };

/** Why a check fails. {@link Finding} describes the members. */
export interface CheckFailure
  extends Pick<
    Finding,
    "message" | "statement" | "transient" | "fieldError" | "since" | "status" | "group"
  > {
  /** Advice for this case. It replaces the advice of the check. */
  readonly advice?: readonly string[];
  readonly objects?: Finding["objects"];
  readonly evidence?: Finding["evidence"];
}

/** The causal relations of a check. */
export interface CheckDependencies<Id extends string = string> {
  /** The name in kebab-case: the condition that holds if the check passes, such as `leader-scheduled`. */
  readonly id: Id;
  /** The checks whose failure alone can make this one fail. Indirect causes need not be listed. */
  readonly causes: readonly Id[];
  /**
   * The checks that must pass before this one applies. If one of them does not pass, this check is blocked and does not
   * run. Each is a direct or indirect cause. Default: none.
   */
  readonly needs?: readonly Id[];
}

/**
 * One question about a request, answered from a view of the request and the cluster. Its findings contain all texts,
 * including `texts`, so a report needs only the findings.
 */
export interface Check<View, Id extends string = string> extends CheckDependencies<Id> {
  /** Texts for all findings of this check. Default: only the finding's own message. */
  readonly texts?: FindingText;
  /** Evaluates the check. The result depends only on the view. */
  run(view: View): CheckResult;
}
