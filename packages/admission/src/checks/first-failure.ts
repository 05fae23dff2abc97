import type { Finding } from "../verdict.ts";
import { firstDuplicate } from "./causal-graph.ts";
import type { CheckSet } from "./check-set.ts";
import { evaluateChecks } from "./evaluate-checks.ts";

/**
 * What a webhook reports that asks one check after another and stops at the first that does not pass, as most
 * webhooks do. A check that means nothing in this state, because of what it needs, is passed over; one that cannot be
 * answered stops the webhook, as an error would.
 *
 * Whether that was the right thing to report shows in the finding: `causedBy` names the causes that fail as well.
 *
 * @param order - some of the checks, or all; the others are not asked
 * @returns `undefined` when each check of `order` passes or is passed over, even if another one fails
 * @throws TypeError when `order` names a check twice, or one that is not in the set
 * @example
 * const fails = () => ({ outcome: "Fail", message: "", transient: false });
 * const set = checkSet([{ id: "leader", causes: [], run: fails }, { id: "selector", causes: ["leader"], run: fails }]);
 * const reported = firstFailure(set, ["selector", "leader"], {});
 * [reported.id, reported.causedBy] // => ["selector", ["leader"]]
 */
export function firstFailure<View, Id extends string>(
  set: CheckSet<View, Id>,
  order: readonly NoInfer<Id>[],
  view: View,
): Finding<Id> | undefined {
  const twice = firstDuplicate(order);
  if (twice !== undefined) throw new TypeError(`the order names check "${twice}" twice`);
  const stray = order.find((id) => !set.graph.causes.has(id));
  if (stray !== undefined) throw new TypeError(`the order names "${stray}", which is no check`);
  const { roots, symptoms, unknown } = evaluateChecks(set, view);
  const findings = new Map([...roots, ...symptoms, ...unknown].map((found) => [found.id, found]));
  const first = order.find((id) => findings.has(id));
  return first === undefined ? undefined : findings.get(first);
}
