import { AffinityCheck, type AffinityFault } from "./affinity-check.ts";
import { type Amounts, NOTHING, PODS } from "./amounts.ts";
import { isCordonedFor, type NodeFacts, toleratesTaints } from "./node-facts.ts";
import { matchesNodeTerms, ownMember } from "./node-selector.ts";
import { NOTHING_TAKEN, nominatedOver, type Occupancy, withPod } from "./occupancy.ts";
import type { PodFacts } from "./pod-facts.ts";

/** The reasons that exclude a node, in evaluation order. */
export type Filter = "Unschedulable" | "Taints" | "NodeAffinity" | "Resources" | "PodAffinity";

/** Why a node does not take a Pod. */
export interface Refusal {
  readonly filter: Filter;
  /** In the words of the scheduler; several only where several resources are short. */
  readonly reasons: readonly string[];
  /** Whether the end of other Pods could help. */
  readonly isForNow: boolean;
}

export const CORDONED: Refusal = lasting("Unschedulable", "node(s) were unschedulable");
export const TAINTED: Refusal = lasting("Taints", "node(s) had untolerated taint(s)");
export const MISMATCHED: Refusal = lasting(
  "NodeAffinity",
  "node(s) didn't match Pod's node affinity/selector",
);

/** The result for a node that the Pod does not name, if it names some. No other filter runs. */
export const UNNAMED: Refusal = lasting(
  "NodeAffinity",
  "node(s) didn't satisfy plugin(s) [NodeAffinity]",
);

const AFFINITY_REFUSALS: Readonly<Record<AffinityFault, Refusal>> = {
  Affinity: lasting("PodAffinity", "node(s) didn't match pod affinity rules"),
  AntiAffinity: {
    filter: "PodAffinity",
    reasons: ["node(s) didn't match pod anti-affinity rules"],
    isForNow: true,
  },
  ExistingAntiAffinity: {
    filter: "PodAffinity",
    reasons: ["node(s) didn't satisfy existing pods anti-affinity rules"],
    isForNow: true,
  },
};

/**
 * Why a node does not take a Pod; `undefined` when it does. It has to take it beside the Pods that it was made free for,
 * and without them.
 *
 * @param check - of that Pod in that view
 */
export function createRefusal(
  occupancy: Occupancy,
  check: AffinityCheck,
  pod: PodFacts,
  node: NodeFacts,
): Refusal | undefined {
  const nominated = nominatedOver(occupancy, pod, node.name);
  if (nominated.length > 0) {
    const crowded = nominated.reduce((view, one) => withPod(view, one, node.name), occupancy);
    const refusal = firstRefusal(crowded, new AffinityCheck(crowded.topology, pod), pod, node);
    if (refusal !== undefined) return refusal;
  }
  return firstRefusal(occupancy, check, pod, node);
}

function firstRefusal(
  occupancy: Occupancy,
  check: AffinityCheck,
  pod: PodFacts,
  node: NodeFacts,
): Refusal | undefined {
  const guarded = guardRefusal(pod, node);
  if (guarded !== undefined) return guarded;
  if (!isSelected(pod, node)) return MISMATCHED;
  const { amounts, pods } = occupancy.taken.get(node.name) ?? NOTHING_TAKEN;
  const short = shortage(pod.requests, node.allocatable, amounts, pods.size);
  if (short !== undefined) return short;
  const fault = check.fault(node);
  return fault && AFFINITY_REFUSALS[fault];
}

/** What a node itself has against a Pod. */
export function guardRefusal(pod: PodFacts, node: NodeFacts): Refusal | undefined {
  if (node.isUnschedulable && isCordonedFor(node, pod.tolerations)) return CORDONED;
  if (node.taints.length > 0 && !toleratesTaints(pod.tolerations, node.taints)) return TAINTED;
  return undefined;
}

/** Whether a node is what the Pod's selector and its node affinity ask for. */
export function isSelected(pod: PodFacts, node: NodeFacts): boolean {
  return (
    pod.nodeSelector.every(([key, value]) => ownMember(node.labels, key) === value) &&
    matchesNodeTerms(pod.nodeTerms, node)
  );
}

/** What a node has too little of; only what it has too little of as a whole is not for now. */
export function shortage(
  requests: Amounts,
  allocatable: Amounts,
  taken: Amounts = NOTHING,
  podCount = 0,
): Refusal | undefined {
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
  return reasons.length === 0 ? undefined : { filter: "Resources", reasons, isForNow };
}

function lasting(filter: Filter, reason: string): Refusal {
  return { filter, reasons: [reason], isForNow: false };
}
