import { AffinityCheck } from "./affinity-check.ts";
import { type Filter, filterNode, findShortage, isSelected } from "./node-filters.ts";
import { isCordonedFor, type NodeInfo, toleratesTaints } from "./node-info.ts";
import { getOwnMember } from "./node-selector.ts";
import { hasLowerPriorityPods, type Occupancy, withTermsOf } from "./occupancy.ts";
import { matchesTerm, type RequiredAffinityTerm } from "./pod-affinity-term.ts";
import type { PodInfo } from "./pod-info.ts";
import type { QueuedPod } from "./scheduling-queue.ts";
import { getDomainId } from "./topology.ts";

// What a change may mean for a Pod that no node took: each filter that kept it off a node looks at the changes that
// could make it think otherwise. A wrong "yes" costs a try; a wrong "no" would leave the Pod waiting.

/**
 * Whether a new or changed node is worth a try.
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
    // The others did not hear of a node that was still tainted when it came, so they try when its taints change.
    case "NodeAffinity":
      return isOtherGuard || (isSelected(pod, after) && (!before || !isSelected(pod, before)));
    case "Resources":
      return (
        isOtherGuard || (fitsAlone(pod, after) && (!before || hasMoreCapacity(pod, before, after)))
      );
    case "PodAffinity":
      return isOtherGuard || hasOtherDomain(pod, before, after);
    default:
      return filter satisfies never;
  }
}

/**
 * Whether the end of a Pod that took up room is worth a try. To look at all of many nodes costs too much to do it for each
 * Pod that ends: among them, it has to make room where it was.
 *
 * @param after - the view without it
 * @param node - where it was
 */
export function shouldRetryAfterPodRemoval(
  { pod, filters }: QueuedPod,
  gone: PodInfo,
  after: Occupancy,
  node: string,
): boolean {
  const freesDomain =
    filters.has("PodAffinity") &&
    (pod.antiAffinity.some((term) => matchesTerm(term, pod.namespace, gone)) ||
      gone.antiAffinity.some((term) => matchesTerm(term, gone.namespace, pod)));
  if (!filters.has("Resources") && !freesDomain) return false;
  if (after.nodes.size <= FEW_NODES || (pod.mayPreempt && hasLowerPriorityPods(after, pod)))
    return true;
  const was = after.nodes.get(node);
  if (was === undefined) return true;
  const affected = freesDomain ? listDomainNodes(after, was) : [was];
  if (affected.length > FEW_NODES) return true;
  const view = withTermsOf(after, pod);
  const check = new AffinityCheck(view.topology, pod);
  return affected.some((one) => filterNode(view, check, pod, one) === undefined);
}

const FEW_NODES = 500;

/** The nodes that share a domain with a node, itself included. */
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

/** Whether a Pod that has come onto a node is worth a try: it may be the one that others want to be near. */
export function shouldRetryAfterPodAssignment({ pod, filters }: QueuedPod, come: PodInfo): boolean {
  return (
    filters.has("PodAffinity") &&
    pod.affinity.some((term) => matchesTerm(term, pod.namespace, come))
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

function fitsAlone({ requests }: PodInfo, { allocatable }: NodeInfo): boolean {
  return findShortage(requests, allocatable) === undefined;
}

function hasMoreCapacity({ requests }: PodInfo, before: NodeInfo, after: NodeInfo): boolean {
  return [...Object.keys(requests), "pods"].some(
    (resource) => (after.allocatable[resource] ?? 0) > (before.allocatable[resource] ?? 0),
  );
}

/** Whether a node has come into a domain that a term of the Pod is about, or left one. */
function hasOtherDomain(
  { affinity, antiAffinity }: PodInfo,
  before: NodeInfo | undefined,
  after: NodeInfo,
): boolean {
  const moved = ({ topologyKey }: RequiredAffinityTerm) =>
    before === undefined ||
    getOwnMember(before.labels, topologyKey) !== getOwnMember(after.labels, topologyKey);
  const isInDomain = ({ topologyKey }: RequiredAffinityTerm) =>
    getOwnMember(after.labels, topologyKey) !== undefined;
  if (affinity.length + antiAffinity.length === 0) {
    return before === undefined || before.labels !== after.labels;
  }
  return affinity.some((term) => moved(term) && isInDomain(term)) || antiAffinity.some(moved);
}
