import { AffinityCheck, type AffinityFault } from "./affinity-check.ts";
import { isCordonedFor, type NodeInfo, toleratesTaints } from "./node-info.ts";
import { getOwnMember, matchesNodeTerms } from "./node-selector.ts";
import { listNominatedPods, NO_USAGE, type Occupancy, withPod } from "./occupancy.ts";
import type { PodInfo } from "./pod-info.ts";
import { type Amounts, NO_AMOUNTS, PODS } from "./resource-amounts.ts";

/** The reasons that exclude a node, in evaluation order. */
export type Filter = "Unschedulable" | "Taints" | "NodeAffinity" | "Resources" | "PodAffinity";

/** Why a node does not take a Pod. */
export interface NodeRejection {
  readonly filter: Filter;
  /** In the words of the scheduler; several only where several resources are short. */
  readonly reasons: readonly string[];
  /** Whether the end of other Pods could help. */
  readonly isResolvable: boolean;
}

export const CORDONED: NodeRejection = createUnresolvable(
  "Unschedulable",
  "node(s) were unschedulable",
);
export const TAINTED: NodeRejection = createUnresolvable(
  "Taints",
  "node(s) had untolerated taint(s)",
);
export const MISMATCHED: NodeRejection = createUnresolvable(
  "NodeAffinity",
  "node(s) didn't match Pod's node affinity/selector",
);

/** The result for a node that the Pod does not name, if it names some. No other filter runs. */
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
 * Why a node does not take a Pod; `undefined` when it does. It has to take it beside the Pods that it was made free for,
 * and without them.
 *
 * @param check - of that Pod in that view
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
  const guarded = filterByTaints(pod, node);
  if (guarded !== undefined) return guarded;
  if (!isSelected(pod, node)) return MISMATCHED;
  const { amounts, pods } = occupancy.usage.get(node.name) ?? NO_USAGE;
  const short = findShortage(pod.requests, node.allocatable, amounts, pods.size);
  if (short !== undefined) return short;
  const fault = check.fault(node);
  return fault && AFFINITY_REJECTIONS[fault];
}

/** What a node itself has against a Pod. */
export function filterByTaints(pod: PodInfo, node: NodeInfo): NodeRejection | undefined {
  if (node.isUnschedulable && isCordonedFor(node, pod.tolerations)) return CORDONED;
  if (node.taints.length > 0 && !toleratesTaints(pod.tolerations, node.taints)) return TAINTED;
  return undefined;
}

/** Whether a node is what the Pod's selector and its node affinity ask for. */
export function isSelected(pod: PodInfo, node: NodeInfo): boolean {
  return (
    pod.nodeSelector.every(([key, value]) => getOwnMember(node.labels, key) === value) &&
    matchesNodeTerms(pod.nodeTerms, node)
  );
}

/** What a node has too little of; only what it has too little of as a whole is not for now. */
export function findShortage(
  requests: Amounts,
  allocatable: Amounts,
  taken: Amounts = NO_AMOUNTS,
  podCount = 0,
): NodeRejection | undefined {
  const reasons: string[] = [];
  let isForNow = true;
  if (podCount + 1 > (allocatable[PODS] ?? 0)) reasons.push("Too many pods");
  for (const resource in requests) {
    const requested = requests[resource] ?? 0;
    const whole = allocatable[resource] ?? 0;
    if (requested <= whole - (taken[resource] ?? 0)) continue;
    reasons.push(`Insufficient ${resource}`);
    if (requested > whole) isForNow = false;
  }
  return reasons.length === 0
    ? undefined
    : { filter: "Resources", reasons, isResolvable: isForNow };
}

function createUnresolvable(filter: Filter, reason: string): NodeRejection {
  return { filter, reasons: [reason], isResolvable: false };
}
