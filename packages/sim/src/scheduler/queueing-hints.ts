import { AffinityCheck } from "./affinity-check.ts";
import { type Filter, filterNode, findShortage, isSelected } from "./node-filters.ts";
import { isCordonedFor, type NodeInfo, toleratesTaints } from "./node-info.ts";
import { getOwnMember } from "./node-selector.ts";
import { hasLowerPriorityPods, type Occupancy, withTerms } from "./occupancy.ts";
import { matchesTerm, type RequiredAffinityTerm } from "./pod-affinity-term.ts";
import type { PodInfo } from "./pod-info.ts";
import type { QueuedPod } from "./scheduling-queue.ts";
import { getDomainId } from "./topology.ts";

// Decides whether a cluster change makes another attempt for an unschedulable Pod worthwhile. Each filter that excluded
// a node checks the changes that can affect it. A wrong "yes" costs one attempt. With a wrong "no", the Pod would keep
// waiting.

/**
 * Returns whether a new or changed node justifies another attempt.
 *
 * @see Kubernetes 1.36 `EnqueueExtensions` of the default plugins
 */
export function shouldRetryAfterNodeChange(
  { pod, filters }: QueuedPod,
  before: NodeInfo | undefined,
  after: NodeInfo,
): boolean {
  const isOtherGuard =
    before !== undefined &&
    (before.isUnschedulable !== after.isUnschedulable || !isSameTaints(before, after));
  return [...filters].some((filter) => canHelp(filter, pod, before, after, isOtherGuard));
}

function canHelp(
  filter: Filter,
  pod: PodInfo,
  before: NodeInfo | undefined,
  after: NodeInfo,
  isOtherGuard: boolean,
): boolean {
  switch (filter) {
    case "Taints":
      return (
        toleratesTaints(pod.tolerations, after.taints) &&
        (before === undefined || !toleratesTaints(pod.tolerations, before.taints))
      );
    case "Unschedulable":
      return (
        !isCordonedFor(after, pod.tolerations) &&
        (before === undefined || isCordonedFor(before, pod.tolerations))
      );
    // The other filters ignored the node while it was tainted, so they need an attempt when its taints change.
    case "NodeAffinity":
      return isOtherGuard || (isSelected(pod, after) && (!before || !isSelected(pod, before)));
    case "Resources":
      return (
        isOtherGuard ||
        (fitsOnEmptyNode(pod, after) && (!before || hasMoreCapacity(pod, before, after)))
      );
    case "PodAffinity":
      return isOtherGuard || hasOtherDomain(pod, before, after);
    default:
      return filter satisfies never;
  }
}

/**
 * Returns whether the removal of an assigned Pod justifies another attempt. With many nodes, only the domain of its
 * node is checked, because checking all of them for each removed Pod costs too much.
 *
 * @param after - the view without the Pod
 * @param node - its node
 */
export function shouldRetryAfterPodRemoval(
  { pod, filters }: QueuedPod,
  removed: PodInfo,
  after: Occupancy,
  node: string,
): boolean {
  const freesDomain =
    filters.has("PodAffinity") &&
    (pod.antiAffinity.some((term) => matchesTerm(term, pod.namespace, removed)) ||
      removed.antiAffinity.some((term) => matchesTerm(term, removed.namespace, pod)));
  if (!filters.has("Resources") && !freesDomain) return false;
  if (after.nodes.size <= FEW_NODES || (pod.mayPreempt && hasLowerPriorityPods(after, pod)))
    return true;
  const was = after.nodes.get(node);
  if (was === undefined) return true;
  const affected = freesDomain ? listDomainNodes(after, was) : [was];
  if (affected.length > FEW_NODES) return true;
  const view = withTerms(after, pod);
  const check = new AffinityCheck(view.topology, pod);
  return affected.some((one) => filterNode(view, check, pod, one) === undefined);
}

const FEW_NODES = 500;

/** Returns the nodes that share a domain with a node, including itself. */
function listDomainNodes(
  { nodesByLabel, topology }: Occupancy,
  node: NodeInfo,
): readonly NodeInfo[] {
  return topology.topologyKeys.flatMap((topologyKey) => {
    const value = getOwnMember(node.labels, topologyKey);
    const nodes =
      value === undefined ? undefined : nodesByLabel.get(getDomainId(topologyKey, value));
    return Array.from(nodes?.entries() ?? [], ([, one]) => one);
  });
}

/** Returns whether a newly assigned Pod justifies another attempt: the waiting Pod may have affinity to it. */
export function shouldRetryAfterPodAssignment(
  { pod, filters }: QueuedPod,
  assigned: PodInfo,
): boolean {
  return (
    filters.has("PodAffinity") &&
    pod.affinity.some((term) => matchesTerm(term, pod.namespace, assigned))
  );
}

function isSameTaints(one: NodeInfo, other: NodeInfo): boolean {
  return (
    one.taints.length === other.taints.length &&
    one.taints.every((taint, index) => {
      const { key, value, effect } = other.taints[index] ?? taint;
      return taint.key === key && taint.value === value && taint.effect === effect;
    })
  );
}

function fitsOnEmptyNode({ requests }: PodInfo, { allocatable }: NodeInfo): boolean {
  return findShortage(requests, allocatable) === undefined;
}

function hasMoreCapacity({ requests }: PodInfo, before: NodeInfo, after: NodeInfo): boolean {
  return [...Object.keys(requests), "pods"].some(
    (resource) => (after.allocatable[resource] ?? 0) > (before.allocatable[resource] ?? 0),
  );
}

/** Returns whether a node has joined or left a domain of one of the Pod's terms. */
function hasOtherDomain(
  { affinity, antiAffinity }: PodInfo,
  before: NodeInfo | undefined,
  after: NodeInfo,
): boolean {
  const hasMoved = ({ topologyKey }: RequiredAffinityTerm) =>
    before === undefined ||
    getOwnMember(before.labels, topologyKey) !== getOwnMember(after.labels, topologyKey);
  const isInDomain = ({ topologyKey }: RequiredAffinityTerm) =>
    getOwnMember(after.labels, topologyKey) !== undefined;
  if (affinity.length + antiAffinity.length === 0) {
    return before === undefined || before.labels !== after.labels;
  }
  return affinity.some((term) => hasMoved(term) && isInDomain(term)) || antiAffinity.some(hasMoved);
}
