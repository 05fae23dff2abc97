import type { Quirks } from "@jobset-ts/core";
import type { ReportedPodCheckId } from "./pod-check-ids.ts";

/**
 * The order of upstream's validating webhook: the node selector before the leader, which is its cause (JobSet #1187).
 * It does not check node and domain.
 */
export const UPSTREAM_POD_ORDER = [
  "node-selector-set",
  "topology-key-selected",
  "follower-labelled",
  "one-active-leader",
  "same-owner",
  "leader-scheduled",
] as const satisfies readonly ReportedPodCheckId[];

/** The default order: every check after its causes. */
export const ROOT_CAUSE_POD_ORDER = [
  "follower-labelled",
  "one-active-leader",
  "same-owner",
  "leader-scheduled",
  "node-known",
  "node-in-domain",
  "node-selector-set",
  "topology-key-selected",
  "leader-domain-selected",
] as const satisfies readonly ReportedPodCheckId[];

/** The value of the selector can be checked only if the leader's domain is known. */
const valueChecks = ["node-known", "node-in-domain", "leader-domain-selected"] as const;

/** Returns the order in which the validating webhook runs its checks. */
export function podOrder(quirks: Quirks): readonly ReportedPodCheckId[] {
  const order = quirks.has("FollowerSelectorCheckedFirst")
    ? UPSTREAM_POD_ORDER
    : ROOT_CAUSE_POD_ORDER.filter((id) => id !== "leader-domain-selected");
  const checksValue = !quirks.has("FollowerSelectorValueUnchecked");
  return [...new Set<ReportedPodCheckId>([...order, ...(checksValue ? valueChecks : [])])];
}
