import type { FailurePolicyRule, Unvalidated } from "@jobset-ts/api";
import { PatternBudget } from "@jobset-ts/go-regexp";
import { asArray, asString } from "../jobset-members.ts";

/** A message pattern of a failure policy that never matches. */
export interface InvalidMessagePattern {
  /** The index of its rule in `rules`. */
  readonly rule: number;
  /** Its index in `onJobFailureMessagePatterns`. */
  readonly pattern: number;
  /**
   * `Malformed`: Go's regexp package rejects it. `OverBudget`: together with earlier patterns it exceeds the budget.
   */
  readonly kind: "Malformed" | "OverBudget";
  /** The reason, in Go's words for a malformed pattern. */
  readonly message: string;
}

/**
 * Returns the message patterns that {@link evaluateFailurePolicy} never searches for, in spec order.
 *
 * All patterns of a JobSet together have a budget of 50,000 units of work. The first pattern that exceeds it is
 * reported, and later ones are not read. A pattern costs four units, one for each character, and one for each range of
 * its classes (`\pL` has 659, each time it is written). A counted repeat costs as much as all its copies, in which a
 * class, a group and a repeat count as one character each. A pattern that nests so deeply that Go might reject it costs
 * sixteen times as much. So the result depends on the text alone.
 *
 * @param rules - the `rules` of a failure policy
 * @see https://pkg.go.dev/regexp/syntax
 * @example findInvalidMessagePatterns([{ onJobFailureMessagePatterns: ["(?i)exit code (42|43)$"] }]) // => []
 * @example findInvalidMessagePatterns([{ onJobFailureMessagePatterns: ["("] }])[0]?.message // => "error parsing regexp: missing closing ): `(`"
 */
export function findInvalidMessagePatterns(
  rules: readonly Unvalidated<FailurePolicyRule>[],
): readonly InvalidMessagePattern[] {
  const budget = new PatternBudget();
  const rejected: InvalidMessagePattern[] = [];
  for (const [rule, one] of asArray(rules).entries()) {
    for (const [pattern, text] of asArray(one?.onJobFailureMessagePatterns).entries()) {
      const read = budget.read(asString(text));
      if (read.ok) continue;
      const kind = "needed" in read ? "OverBudget" : "Malformed";
      rejected.push({ rule, pattern, kind, message: read.message });
      if (kind === "OverBudget") return rejected;
    }
  }
  return rejected;
}
