import type { Finding } from "../verdict.ts";
import type { CheckSet } from "./check-set.ts";
import { type CheckAnswer, runCheck } from "./run-check.ts";

/** Every check of a set in one of five lists, each in causal order. */
export interface CheckEvaluation<Id extends string = string> {
  /**
   * The checks that fail while none of their causes does. One that has an unanswered cause is here as well, with that
   * cause in `mayBeCausedBy`: it fails for certain, but nobody knows whether it is the first to.
   */
  readonly roots: readonly Finding<Id>[];
  /** The other checks that fail, each with the failing causes in `causedBy`. */
  readonly symptoms: readonly Finding<Id>[];
  /** The checks that say that a fact is missing, or that threw. */
  readonly unknown: readonly Finding<Id>[];
  /** The checks that were not run, since something that they need did not pass. */
  readonly blocked: readonly BlockedCheck<Id>[];
  readonly passed: readonly Id[];
  /**
   * What to tell whoever asked: the first root that is certain to be one; where there is none, the first missing fact.
   * Absent when every check passes, and only then.
   */
  readonly reported?: Finding<Id>;
}

/** A check that means nothing until others pass. */
export interface BlockedCheck<Id extends string = string> {
  readonly id: Id;
  /** Those of its needs that failed, are unknown or are blocked themselves. */
  readonly by: readonly Id[];
}

/**
 * Runs every check, none left out because an earlier one failed, and tells causes from what they bring about.
 *
 * A check runs when all that it needs passes; a need that is unknown blocks as one that fails does.
 *
 * @returns an answer for any view; never throws, since a check that does counts as unknown, with the error's text
 * @example
 * const set = checkSet([
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
  const answers = new Map<Id, CheckAnswer<Id>>();
  const blocked: BlockedCheck<Id>[] = [];
  for (const check of checks) {
    const needs = graph.needs.get(check.id) ?? [];
    const by = needs.filter((need) => answers.get(need)?.outcome !== "Pass");
    if (by.length > 0) blocked.push({ id: check.id, by });
    else answers.set(check.id, runCheck(check, view));
  }

  const findings = (outcome: "Fail" | "Unknown") =>
    [...answers.values()].flatMap((answer) => (answer.outcome === outcome ? answer.finding : []));
  const causesWith = (id: Id, outcome: "Fail" | "Unknown") =>
    (graph.causes.get(id) ?? []).filter((cause) => answers.get(cause)?.outcome === outcome);
  const failed = findings("Fail").map((finding) => ({
    ...finding,
    causedBy: causesWith(finding.id, "Fail"),
  }));
  const roots = failed
    .filter(({ causedBy }) => causedBy.length === 0)
    // A cause that is blocked need not be looked at: behind it stands one that failed or is unknown.
    .map((root) => doubted(root, causesWith(root.id, "Unknown")));
  const unknown = findings("Unknown");
  const reported = roots.find(({ mayBeCausedBy }) => mayBeCausedBy === undefined) ?? unknown[0];
  return {
    roots,
    symptoms: failed.filter(({ causedBy }) => causedBy.length > 0),
    unknown,
    blocked,
    passed: [...answers.keys()].filter((id) => answers.get(id)?.outcome === "Pass"),
    ...(reported === undefined ? {} : { reported }),
  };
}

function doubted<Id extends string>(root: Finding<Id>, mayBeCausedBy: readonly Id[]): Finding<Id> {
  return mayBeCausedBy.length === 0 ? root : { ...root, mayBeCausedBy };
}
