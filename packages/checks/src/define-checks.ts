import { type CausalGraph, causalGraph } from "./causal-graph.ts";
import type { Check } from "./check.ts";

/** Checks that belong together, with their causal relations. Created by {@link defineChecks}. */
export interface CheckSet<View, Id extends string = string> {
  /** In causal order: each check follows the checks that may cause it. */
  readonly checks: readonly Check<View, Id>[];
  readonly graph: CausalGraph<Id>;
}

/**
 * Sorts checks in causal order, once for all evaluations.
 *
 * @param checks - in the order in which to report them, as far as causes allow
 * @throws TypeError if the checks contradict each other, because that is a mistake in code: a cycle of causes, a
 *   duplicate ID, a cause or need that is not a check, or a need that is not a cause. The message names the checks.
 * @example
 * const leader = { id: "leader-scheduled", causes: [], run: () => ({ outcome: "Pass" }) };
 * const selector = { id: "selector-set", causes: ["leader-scheduled"], run: () => ({ outcome: "Pass" }) };
 * defineChecks([selector, leader]).graph.order // => ["leader-scheduled", "selector-set"]
 */
export function defineChecks<View, Id extends string>(
  checks: readonly Check<View, Id>[],
): CheckSet<View, Id> {
  const result = causalGraph(checks);
  if (!result.ok) throw new TypeError(result.message);
  const byId = new Map(checks.map((check) => [check.id, check]));
  const inOrder = result.graph.order.flatMap((id) => byId.get(id) ?? []);
  return { checks: inOrder, graph: result.graph };
}
