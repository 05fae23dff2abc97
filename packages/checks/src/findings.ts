import type { Finding } from "./finding.ts";

/** Findings grouped by their causal role. Each list is in the order in which the findings were found. */
export interface SortedFindings<Id extends string = string> {
  /**
   * Findings whose causes all pass. A finding with an unknown cause is included, with that cause in `mayBeCausedBy`: it
   * fails, but it may not be the first to fail.
   */
  readonly roots: readonly Finding<Id>[];
  /** The other failures, each with its failing causes in `causedBy`. */
  readonly symptoms: readonly Finding<Id>[];
  /** Checks without a result because a fact is missing, such as Pods that could not be listed. */
  readonly unknown: readonly Finding<Id>[];
}

/** Separates causes from effects. */
export function sortFindings<Id extends string>(
  findings: readonly Finding<Id>[],
): SortedFindings<Id> {
  const failed = findings.filter(({ outcome }) => outcome === "Fail");
  return {
    roots: failed.filter(({ causedBy }) => causedBy.length === 0),
    symptoms: failed.filter(({ causedBy }) => causedBy.length > 0),
    unknown: findings.filter(({ outcome }) => outcome === "Unknown"),
  };
}

/** Returns the finding to report to the client: the first certain root or, if there is none, the first missing fact. */
export function findingToReport<Id extends string>({
  roots,
  unknown,
}: SortedFindings<Id>): Finding<Id> | undefined {
  return roots.find(({ mayBeCausedBy }) => mayBeCausedBy === undefined) ?? unknown[0];
}
