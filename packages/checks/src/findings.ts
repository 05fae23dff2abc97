import type { Finding } from "./finding.ts";

/** Findings by what they are to each other, each list in the order in which they were found. */
export interface SortedFindings<Id extends string = string> {
  /**
   * What fails while none of its causes does. One that has an unanswered cause is here as well, with that cause in
   * `mayBeCausedBy`: it fails for certain, but nobody knows whether it is the first to.
   */
  readonly roots: readonly Finding<Id>[];
  /** What else fails, each with the failing causes in `causedBy`. */
  readonly symptoms: readonly Finding<Id>[];
  /** What cannot be answered because a fact is missing, such as Pods that could not be listed. */
  readonly unknown: readonly Finding<Id>[];
}

/** Tells causes from what they bring about. */
export function sortedFindings<Id extends string>(
  findings: readonly Finding<Id>[],
): SortedFindings<Id> {
  const failed = findings.filter(({ outcome }) => outcome === "Fail");
  return {
    roots: failed.filter(({ causedBy }) => causedBy.length === 0),
    symptoms: failed.filter(({ causedBy }) => causedBy.length > 0),
    unknown: findings.filter(({ outcome }) => outcome === "Unknown"),
  };
}

/** What to tell whoever asked: the first root that is certain to be one; where there is none, the first missing fact. */
export function findingToReport<Id extends string>({
  roots,
  unknown,
}: SortedFindings<Id>): Finding<Id> | undefined {
  return roots.find(({ mayBeCausedBy }) => mayBeCausedBy === undefined) ?? unknown[0];
}
