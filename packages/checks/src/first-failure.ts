import { firstDuplicate } from "./causal-graph.ts";
import type { CheckEvaluation } from "./evaluate-checks.ts";
import type { Finding } from "./finding.ts";

/**
 * Returns what a webhook reports if it runs its checks one after another and stops at the first that does not pass, as
 * most webhooks do. A blocked check is skipped. An unknown check stops the webhook, as an error would. The finding
 * shows whether that was the right one to report: `causedBy` names the causes that fail, too.
 *
 * @param evaluation - the results of the checks
 * @param order - some or all of the checks; the others are ignored
 * @returns `undefined` if each check of `order` passes or is skipped, even if another one fails
 * @throws TypeError if `order` names a check twice, or a check that was not evaluated
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
  const unknownId = order.find((id) => !known.has(id));
  if (unknownId !== undefined)
    throw new TypeError(`the order names "${unknownId}", which is not a check`);
  const first = order.find((id) => found.has(id));
  return first === undefined ? undefined : found.get(first);
}
