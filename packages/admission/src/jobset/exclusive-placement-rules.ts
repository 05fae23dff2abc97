import { fieldPath, invalid } from "@jobset-ts/api/errors";
import { EXCLUSIVE_TOPOLOGY_KEY } from "@jobset-ts/api/keys";
import { asRecord, getAnnotation, validateQualifiedName } from "@jobset-ts/api/kubernetes";
import { renderJson } from "@jobset-ts/api/typed";
import { placementAnnotations, usesNodeSelectorStrategy } from "@jobset-ts/core/desired";
import type { JobSetView, ReplicatedJobView } from "./jobset-view.ts";
import type { Violations } from "./violations.ts";

/**
 * Checks that exclusive placement uses Indexed Jobs. Placement by Pod affinity needs a leader, the Pod with index 0,
 * which only Indexed Jobs have. Upstream admits other Jobs, and then denies all their Pods. Jobs that are placed by
 * node labels need no leader.
 *
 * @see JobSet #1284
 */
export function exclusivePlacementRules(
  view: JobSetView,
  one: ReplicatedJobView,
  found: Violations,
): void {
  if (view.quirks.has("NonIndexedExclusiveAdmitted")) return;
  // The Job controller treats an absent mode as NonIndexed.
  if (one.completionMode === "Indexed" || !hasLeaderPlacement(view, one)) return;
  const { completionMode } = one;
  const error = invalid(
    `${one.field}.template.spec.completionMode`,
    completionMode ?? null,
    `must be Indexed for exclusive placement (annotation ${EXCLUSIVE_TOPOLOGY_KEY}), which follows the pod of index 0`,
    renderJson(completionMode, "string"),
  );
  found.add("exclusive-placement-indexed", error);
}

function hasLeaderPlacement({ jobSet }: JobSetView, one: ReplicatedJobView): boolean {
  const annotations = {
    ...asRecord(one.jobSpec.template?.metadata?.annotations),
    ...placementAnnotations(jobSet, one.replicatedJob),
  };
  return (
    Object.hasOwn(annotations, EXCLUSIVE_TOPOLOGY_KEY) && !usesNodeSelectorStrategy(annotations)
  );
}

/**
 * Checks the topology key of exclusive placement, which becomes part of the leaders' affinity and of the followers'
 * node selector. Upstream accepts any text, and then no Pod of the Jobs can be created. A key that several
 * ReplicatedJobs share is reported once.
 */
export function topologyKeyRules(view: JobSetView, found: Violations): void {
  if (view.quirks.has("TopologyKeyUnchecked")) return;
  const reported = new Set<string>();
  for (const one of view.replicatedJobs) {
    if (found.isFull) return;
    if (!hasLeaderPlacement(view, one)) continue;
    const { field, topologyKey } = getTopologyKey(view, one);
    if (reported.has(field)) continue;
    reported.add(field);
    for (const message of validateQualifiedName(topologyKey)) {
      const error = invalid(field, topologyKey, `cannot be a topology key: ${message}`);
      found.add("topology-key-valid", error);
    }
  }
}

/** Returns the effective annotation: from the Job template, then the JobSet, then the Pod template. */
function getTopologyKey(
  { jobSet }: JobSetView,
  { field, replicatedJob, jobSpec }: ReplicatedJobView,
) {
  const places = [
    { path: `${field}.template.`, object: replicatedJob.template },
    { path: "", object: jobSet },
    { path: `${field}.template.spec.template.`, object: jobSpec.template },
  ];
  for (const { path, object } of places) {
    const topologyKey = getAnnotation(object ?? {}, EXCLUSIVE_TOPOLOGY_KEY);
    if (topologyKey === undefined) continue;
    const annotation = fieldPath(["metadata", "annotations", EXCLUSIVE_TOPOLOGY_KEY]);
    return { field: `${path}${annotation}`, topologyKey };
  }
  return { field: "", topologyKey: "" };
}
