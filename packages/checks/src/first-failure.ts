import { firstDuplicate } from "./causal-graph.ts";
import type { CheckEvaluation } from "./evaluate-checks.ts";
import type { Finding } from "./finding.ts";

/**
 * What a webhook reports that asks one check after another and stops at the first that does not pass, as most
 * webhooks do. A check that means nothing in this state, because of what it needs, is passed over; one that cannot be
 * answered stops the webhook, as an error would.
 *
 * Whether that was the right thing to report shows in the finding: `causedBy` names the causes that fail as well.
 *
 * @param evaluation - what came of the checks
 * @param order - some of the checks, or all; the others are not looked at
 * @returns `undefined` when each check of `order` passes or is passed over, even if another one fails
 * @throws TypeError when `order` names a check twice, or one that was not evaluated
 * @example
 * const fails = () => ({ outcome: "Fail", message: "", transient: false });
 * const set = defineChecks([{ id: "leader", causes: [], run: fails }, { id: "selector", causes: ["leader"], run: fails }]);
 * const reported = firstFailure(evaluateChecks(set, {}), ["selector", "leader"]);
 * [reported.id, reported.causedBy] // => ["selector", ["leader"]]
 */
export function firstFailure<Id extends string>(
  { findings, blocked, passed }: CheckEvaluation<Id>,
  order: readonly NoInfer<Id>[],
): Finding<Id> | undefined {
  const twice = firstDuplicate(order);
  if (twice !== undefined) throw new TypeError(`the order names check "${twice}" twice`);
  const found = new Map(findings.map((finding) => [finding.id, finding]));
  const known = new Set([...found.keys(), ...passed, ...blocked.map(({ id }) => id)]);
  const stray = order.find((id) => !known.has(id));
  if (stray !== undefined) throw new TypeError(`the order names "${stray}", which is not a check`);
  const first = order.find((id) => found.has(id));
  return first === undefined ? undefined : found.get(first);
}
