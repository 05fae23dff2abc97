import type { CheckSet } from "./define-checks.ts";
import type { Finding } from "./finding.ts";
import { findingToReport, type SortedFindings, sortFindings } from "./findings.ts";
import { runCheck } from "./run-check.ts";

/** The results of all checks of a set. Each list is in causal order. */
export interface CheckEvaluation<Id extends string = string> extends SortedFindings<Id> {
  /** Roots, symptoms and unknown results. A result is unknown if a fact is missing or the check threw. */
  readonly findings: readonly Finding<Id>[];
  /** The checks that did not run because a check that they need did not pass. */
  readonly blocked: readonly SkippedCheck<Id>[];
  readonly passed: readonly Id[];
  /**
   * The finding to report to the client: the first certain root or, if there is none, the first missing fact. Absent
   * if and only if every check passes.
   */
  readonly reported?: Finding<Id>;
}

/** A check that does not apply until other checks pass. */
export interface SkippedCheck<Id extends string = string> {
  readonly id: Id;
  /** The needs that failed, are unknown or are blocked. */
  readonly by: readonly Id[];
}

/**
 * Runs every check once, regardless of earlier failures, and separates causes from effects. A check runs if all checks
 * that it needs pass. A need that is unknown blocks it like one that fails.
 *
 * @returns a result for any view. Never throws: a check that throws is unknown, with the error's text
 * @example
 * const set = defineChecks([
 *   { id: "leader-scheduled", causes: [], run: ({ node }) => node ? { outcome: "Pass" } : { outcome: "Fail", message: "no node", transient: true } },
 *   { id: "selector-set", causes: ["leader-scheduled"], run: () => ({ outcome: "Fail", message: "no selector", transient: false }) },
 * ]);
 * const { roots, symptoms } = evaluateChecks(set, { node: "" });
 * roots.map(({ id }) => id) // => ["leader-scheduled"]
 * symptoms.map(({ id, causedBy }) => [id, causedBy]) // => [["selector-set", ["leader-scheduled"]]]
 */
export function evaluateChecks<View, Id extends string>(
  { checks, graph }: CheckSet<View, Id>,
  view: View,
): CheckEvaluation<Id> {
  const found = new Map<Id, Finding<Id>>();
  const blocked: SkippedCheck<Id>[] = [];
  const passed: Id[] = [];
  const notPassed = new Set<Id>();
  const listNotPassed = (needs: readonly Id[] = []) => needs.filter((need) => notPassed.has(need));
  for (const check of checks) {
    const { id } = check;
    // For most views, every check passes and none is blocked.
    const by = notPassed.size > 0 ? listNotPassed(graph.needs.get(id)) : [];
    const finding = by.length > 0 ? undefined : runCheck(check, view);
    if (by.length > 0) blocked.push({ id, by });
    else if (finding === undefined) passed.push(id);
    else found.set(id, finding);
    if (by.length > 0 || finding !== undefined) notPassed.add(id);
  }

  const causesWithOutcome = (id: Id, outcome: Finding["outcome"]) =>
    (graph.causes.get(id) ?? []).filter((cause) => found.get(cause)?.outcome === outcome);
  const findings = [...found.values()].map((finding) => {
    // A single finding has no causes among the findings.
    if (finding.outcome === "Unknown" || found.size === 1) return finding;
    const causedBy = causesWithOutcome(finding.id, "Fail");
    if (causedBy.length > 0) return { ...finding, causedBy };
    // A blocked cause can be ignored: it is blocked by another cause that failed or is unknown.
    const mayBeCausedBy = causesWithOutcome(finding.id, "Unknown");
    return mayBeCausedBy.length > 0 ? { ...finding, mayBeCausedBy } : finding;
  });
  const sorted = sortFindings(findings);
  const reported = findingToReport(sorted);
  const { roots, symptoms, unknown } = sorted;
  return {
    roots,
    symptoms,
    unknown,
    findings,
    blocked,
    passed,
    ...(reported !== undefined && { reported }),
  };
}
