import type { JobSet, ReplicatedJob, Unvalidated } from "@jobset-ts/api";
import {
  EXCLUSIVE_TOPOLOGY_KEY,
  NO_SCHEDULE_TAINT_KEY,
  NODE_SELECTOR_STRATEGY_KEY,
} from "@jobset-ts/api/keys";
import type { Toleration } from "@jobset-ts/api/kubernetes";
import { asRecord, getAnnotation } from "../jobset-members.ts";

/**
 * Returns the placement annotations that a ReplicatedJob's Jobs and their Pods get in addition to those of their
 * templates. The JobSet's topology key is copied, together with its strategy. The Job template's annotations are copied
 * in the same way and take precedence. A strategy without a topology key at the same level is not copied.
 *
 * @see JobSet concepts, "exclusive placement"
 */
export function placementAnnotations(
  jobSet: Unvalidated<JobSet>,
  replicatedJob: Unvalidated<ReplicatedJob>,
): Record<string, string> {
  const annotations: Record<string, string> = {};
  for (const level of [jobSet, replicatedJob?.template ?? {}]) {
    const topology = getAnnotation(level, EXCLUSIVE_TOPOLOGY_KEY);
    if (topology === undefined) continue;
    annotations[EXCLUSIVE_TOPOLOGY_KEY] = topology;
    const strategy = getAnnotation(level, NODE_SELECTOR_STRATEGY_KEY);
    if (strategy !== undefined) annotations[NODE_SELECTOR_STRATEGY_KEY] = strategy;
  }
  return annotations;
}

/**
 * Reports whether Jobs with these annotations are placed by existing node labels: both annotations are present,
 * with any values.
 */
export function usesNodeSelectorStrategy(annotations: Readonly<Record<string, string>>): boolean {
  const members = asRecord(annotations);
  return (
    Object.hasOwn(members, EXCLUSIVE_TOPOLOGY_KEY) &&
    Object.hasOwn(members, NODE_SELECTOR_STRATEGY_KEY)
  );
}

/**
 * Reports whether the Jobs of a ReplicatedJob are placed by existing node labels. This depends on the annotations
 * of the Job: those of its template and those that JobSet adds.
 */
export function isPlacedByNodeLabels(
  jobSet: Unvalidated<JobSet>,
  replicatedJob: Unvalidated<ReplicatedJob>,
): boolean {
  return usesNodeSelectorStrategy({
    ...asRecord(replicatedJob?.template?.metadata?.annotations),
    ...placementAnnotations(jobSet, replicatedJob),
  });
}

/**
 * Adds tolerations, so that Pods of Jobs that are placed by node labels can run on the nodes that are
 * reserved for them.
 */
export const noScheduleToleration: Readonly<Toleration> = Object.freeze({
  key: NO_SCHEDULE_TAINT_KEY,
  operator: "Exists",
  effect: "NoSchedule",
});
