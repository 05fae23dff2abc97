import { parseTime } from "@jobset-ts/api";
import { AffinityCheck } from "./affinity-check.ts";
import {
  NEVER_PREEMPTS,
  NO_VICTIMS,
  NOT_HELPFUL,
  type PreemptionFailure,
  WAITS_FOR_VICTIMS,
} from "./failure-message.ts";
import type { NoNode } from "./find-node.ts";
import { filterNode, type NodeRejection } from "./node-filters.ts";
import type { NodeInfo } from "./node-info.ts";
import { hasLowerPriorityPods, type Occupancy, withoutPod, withPod } from "./occupancy.ts";
import type { PodInfo } from "./pod-info.ts";

/** The node to free for a Pod and the Pods to evict, or why preemption cannot help. */
export type PreemptionResult =
  | { readonly succeeds: true; readonly node: string; readonly victims: readonly PodInfo[] }
  | { readonly succeeds: false; readonly failure: PreemptionFailure };

/**
 * Finds lower-priority Pods whose eviction makes a node feasible. On each node, it evicts the fewest and least
 * important Pods. Then it picks the node with the lowest cost.
 *
 * @param noNode - why no node is feasible without preemption
 * @see Kubernetes `preemption.Evaluator`
 */
export function preempt(occupancy: Occupancy, pod: PodInfo, noNode: NoNode): PreemptionResult {
  if (!pod.mayPreempt) return { succeeds: false, failure: NEVER_PREEMPTS };
  if (isWaitingForVictims(occupancy, pod, noNode)) {
    return { succeeds: false, failure: WAITS_FOR_VICTIMS };
  }
  const reasons = new Map<string, number>();
  const add = (reason: string, count = 1) => {
    if (count > 0) reasons.set(reason, (reasons.get(reason) ?? 0) + count);
  };
  add(NOT_HELPFUL, noNode.nodeCount - noNode.resolvableNodes.length);
  if (!hasLowerPriorityPods(occupancy, pod)) add(NO_VICTIMS, noNode.resolvableNodes.length);
  else {
    const candidates: Candidate[] = [];
    const enough = Math.max(MIN_CANDIDATES, noNode.nodeCount / 10);
    for (const node of noNode.resolvableNodes) {
      const chosen = selectVictimsOnNode(occupancy, pod, node);
      if ("victims" in chosen) candidates.push({ node: node.name, victims: chosen.victims });
      else for (const reason of chosen.reasons) add(reason);
      if (candidates.length >= enough) break;
    }
    const best = pickCheapest(candidates);
    if (best !== undefined) return { succeeds: true, ...best };
  }
  return { succeeds: false, failure: { eligible: true, reasons } };
}

/** The search stops after this number of candidate nodes or a tenth of all nodes, whichever is larger. */
const MIN_CANDIDATES = 100;

interface Candidate {
  readonly node: string;
  readonly victims: readonly PodInfo[];
}

/**
 * Returns whether lower-priority Pods on the nominated node are still terminating, and the node can be feasible
 * afterwards.
 */
function isWaitingForVictims(
  occupancy: Occupancy,
  pod: PodInfo,
  { resolvableNodes }: NoNode,
): boolean {
  const node = pod.nominatedNodeName;
  if (node === "" || !resolvableNodes.some(({ name }) => name === node)) return false;
  for (const [, one] of occupancy.usage.get(node)?.pods.entries() ?? []) {
    if (one.isTerminating && one.priority < pod.priority) return true;
  }
  return false;
}

/** Returns the Pods to evict from a node, or why that does not help. */
function selectVictimsOnNode(
  occupancy: Occupancy,
  pod: PodInfo,
  node: NodeInfo,
): { readonly victims: readonly PodInfo[] } | Pick<NodeRejection, "reasons"> {
  const pods = occupancy.usage.get(node.name)?.pods.entries() ?? [];
  const lowerPriorityPods = Array.from(pods, ([, one]) => one).filter(
    ({ priority }) => priority < pod.priority,
  );
  if (lowerPriorityPods.length === 0) return { reasons: [NO_VICTIMS] };
  let view = lowerPriorityPods.reduce(
    (rest, { uid }) => withoutPod(rest, uid, node.name),
    occupancy,
  );
  const rejection = findRejection(view, pod, node);
  if (rejection !== undefined) return rejection;
  const victims: PodInfo[] = [];
  for (const one of lowerPriorityPods.sort(compareImportance)) {
    const spared = withPod(view, one, node.name);
    if (findRejection(spared, pod, node) === undefined) view = spared;
    else victims.push(one);
  }
  return { victims };
}

function findRejection(view: Occupancy, pod: PodInfo, node: NodeInfo): NodeRejection | undefined {
  return filterNode(view, new AffinityCheck(view.topology, pod), pod, node);
}

/** Returns the start time in milliseconds: infinity for a Pod that has not started. */
function getStartTime({ startTime }: PodInfo): number {
  return parseTime(startTime) ?? Number.POSITIVE_INFINITY;
}

/** Compares the importance of Pods, most important first: by priority, then by start time. */
function compareImportance(one: PodInfo, other: PodInfo): number {
  if (one.priority !== other.priority) return other.priority - one.priority;
  const [startedAt, otherStartedAt] = [getStartTime(one), getStartTime(other)];
  if (startedAt !== otherStartedAt) return startedAt - otherStartedAt;
  return one.key < other.key ? -1 : 1;
}

/**
 * Picks the candidate with the lowest cost: the lowest first victim, then the lowest sum of priorities, then the fewest
 * victims, then the latest start. The first one wins a tie.
 */
function pickCheapest(candidates: readonly Candidate[]): Candidate | undefined {
  const costs = candidates.map((candidate) => ({
    candidate,
    cost: measureCost(candidate.victims),
  }));
  costs.sort((one, other) => {
    for (const [index, part] of one.cost.entries()) {
      const difference = part - (other.cost[index] ?? 0);
      if (difference !== 0 && !Number.isNaN(difference)) return difference;
    }
    return 0;
  });
  return costs[0]?.candidate;
}

function measureCost(victims: readonly PodInfo[]): readonly number[] {
  const highest = Math.max(...victims.map(({ priority }) => priority));
  // Counted from the lowest possible priority, so more victims never cost less.
  const sum = victims.reduce((total, { priority }) => total + priority + 2 ** 31, 0);
  const earliest = Math.min(
    ...victims.filter(({ priority }) => priority === highest).map(getStartTime),
  );
  return [highest, sum, victims.length, -earliest];
}
