import { AffinityCheck, type AffinityFault } from "./affinity-check.ts";
import { isCordonedFor, type NodeInfo, toleratesTaints } from "./node-info.ts";
import { getOwnMember, matchesNodeTerms } from "./node-selector.ts";
import { listNominatedPods, NO_USAGE, type Occupancy, withPod } from "./occupancy.ts";
import type { PodInfo } from "./pod-info.ts";
import { type Amounts, NO_AMOUNTS, PODS } from "./resource-amounts.ts";

/** The reasons that exclude a node, in evaluation order. */
export type Filter = "Unschedulable" | "Taints" | "NodeAffinity" | "Resources" | "PodAffinity";

/** Why a node is not feasible for a Pod. */
export interface NodeRejection {
  readonly filter: Filter;
  /** In the scheduler's words. There are several only if several resources are insufficient. */
  readonly reasons: readonly string[];
  /** Whether the deletion of other Pods can help. */
  readonly isResolvable: boolean;
}

const CORDONED: NodeRejection = createUnresolvable("Unschedulable", "node(s) were unschedulable");
const TAINTED: NodeRejection = createUnresolvable("Taints", "node(s) had untolerated taint(s)");
export const MISMATCHED: NodeRejection = createUnresolvable(
  "NodeAffinity",
  "node(s) didn't match Pod's node affinity/selector",
);

/** The result for a node other than those that the Pod requires by name. No other filter runs. */
export const UNNAMED: NodeRejection = createUnresolvable(
  "NodeAffinity",
  "node(s) didn't satisfy plugin(s) [NodeAffinity]",
);

const AFFINITY_REJECTIONS: Readonly<Record<AffinityFault, NodeRejection>> = {
  Affinity: createUnresolvable("PodAffinity", "node(s) didn't match pod affinity rules"),
  AntiAffinity: {
    filter: "PodAffinity",
    reasons: ["node(s) didn't match pod anti-affinity rules"],
    isResolvable: true,
  },
  ExistingAntiAffinity: {
    filter: "PodAffinity",
    reasons: ["node(s) didn't satisfy existing pods anti-affinity rules"],
    isResolvable: true,
  },
};

/**
 * Returns why a node is not feasible for a Pod, or `undefined` if it is. The node has to be feasible both with and
 * without the Pods nominated to it.
 *
 * @param check - the affinity check of that Pod in that view
 */
export function filterNode(
  occupancy: Occupancy,
  check: AffinityCheck,
  pod: PodInfo,
  node: NodeInfo,
): NodeRejection | undefined {
  const nominated = listNominatedPods(occupancy, pod, node.name);
  if (nominated.length > 0) {
    const crowded = nominated.reduce((view, one) => withPod(view, one, node.name), occupancy);
    const rejection = runFilters(crowded, new AffinityCheck(crowded.topology, pod), pod, node);
    if (rejection !== undefined) return rejection;
  }
  return runFilters(occupancy, check, pod, node);
}

function runFilters(
  occupancy: Occupancy,
  check: AffinityCheck,
  pod: PodInfo,
  node: NodeInfo,
): NodeRejection | undefined {
  const taintRejection = filterByTaints(pod, node);
  if (taintRejection !== undefined) return taintRejection;
  if (!isSelected(pod, node)) return MISMATCHED;
  const { amounts, pods } = occupancy.usage.get(node.name) ?? NO_USAGE;
  const short = findShortage(pod.requests, node.allocatable, amounts, pods.size);
  if (short !== undefined) return short;
  const fault = check.fault(node);
  return fault && AFFINITY_REJECTIONS[fault];
}

/** Checks whether a node is cordoned or has untolerated taints. */
export function filterByTaints(pod: PodInfo, node: NodeInfo): NodeRejection | undefined {
  if (node.isUnschedulable && isCordonedFor(node, pod.tolerations)) return CORDONED;
  if (node.taints.length > 0 && !toleratesTaints(pod.tolerations, node.taints)) return TAINTED;
  return undefined;
}

/** Returns whether a node matches the Pod's node selector and required node affinity. */
export function isSelected(pod: PodInfo, node: NodeInfo): boolean {
  return (
    pod.nodeSelector.every(([key, value]) => getOwnMember(node.labels, key) === value) &&
    matchesNodeTerms(pod.nodeTerms, node)
  );
}

/** Returns the insufficient resources. If the allocatable amount alone is too small, preemption cannot help. */
export function findShortage(
  requests: Amounts,
  allocatable: Amounts,
  used: Amounts = NO_AMOUNTS,
  podCount = 0,
): NodeRejection | undefined {
  const reasons: string[] = [];
  let isResolvable = true;
  if (podCount + 1 > (allocatable[PODS] ?? 0)) reasons.push("Too many pods");
  for (const resource in requests) {
    const requested = requests[resource] ?? 0;
    const whole = allocatable[resource] ?? 0;
    if (requested <= whole - (used[resource] ?? 0)) continue;
    reasons.push(`Insufficient ${resource}`);
    if (requested > whole) isResolvable = false;
  }
  return reasons.length === 0 ? undefined : { filter: "Resources", reasons, isResolvable };
}

function createUnresolvable(filter: Filter, reason: string): NodeRejection {
  return { filter, reasons: [reason], isResolvable: false };
}
