import { EXCLUSIVE_TOPOLOGY_KEY, invalid, membersOf, renderJson } from "@jobset-ts/api";
import { placementAnnotations, usesNodeSelectorStrategy } from "@jobset-ts/core";
import type { Breaches } from "./jobset-rule.ts";
import type { JobSetView, ReplicatedJobView } from "./jobset-view.ts";

/**
 * Exclusive placement by Pod affinity follows a leader, the Pod of index 0, which only Indexed Jobs have. Upstream
 * admits it for others, and then refuses all of their Pods. Jobs that are placed by node labels need no leader.
 *
 * @see JobSet #1284
 */
export function* exclusivePlacementRules(view: JobSetView, one: ReplicatedJobView): Breaches {
  if (view.quirks.has("NonIndexedExclusiveAdmitted")) return;
  // The Job controller takes an absent mode for NonIndexed.
  if (one.completionMode === "Indexed" || !hasLeaderPlacement(view, one)) return;
  const { completionMode } = one;
  const error = invalid(
    `${one.field}.template.spec.completionMode`,
    completionMode ?? null,
    `must be Indexed for exclusive placement (annotation ${EXCLUSIVE_TOPOLOGY_KEY}), which follows the pod of index 0`,
    renderJson(completionMode, "string"),
  );
  yield { rule: "exclusive-placement-indexed", error };
}

function hasLeaderPlacement({ jobSet }: JobSetView, one: ReplicatedJobView): boolean {
  const annotations = {
    ...membersOf(one.jobSpec.template?.metadata?.annotations),
    ...placementAnnotations(jobSet, one.replicatedJob),
  };
  return (
    Object.hasOwn(annotations, EXCLUSIVE_TOPOLOGY_KEY) && !usesNodeSelectorStrategy(annotations)
  );
}
