import { emptyMap, type PersistentMap } from "@jobset-ts/core/persistent-map";
import { withMembers } from "../with-members.ts";
import type { NodeInfo } from "./node-info.ts";
import type { PodInfo } from "./pod-info.ts";
import { type Amounts, addAmounts, NO_AMOUNTS, subtractAmounts } from "./resource-amounts.ts";
import {
  coversTerms,
  createTopologyFor,
  NO_TOPOLOGY,
  type Topology,
  withPodCounted,
} from "./topology.ts";

/**
 * The scheduler's view of the cluster, as an immutable value: the nodes, and the Pods that use their resources. To
 * evaluate a hypothetical cluster, such as a node without its lower-priority Pods, create another view.
 */
export interface Occupancy {
  readonly nodes: PersistentMap<NodeInfo>;
  /** The usage by node name, even if the node does not exist. */
  readonly usage: PersistentMap<NodeUsage>;
  /** The nodes with a label, by `<key>=<value>` and by name. */
  readonly nodesByLabel: PersistentMap<PersistentMap<NodeInfo>>;
  /** The names of the nodes that are cordoned or tainted. */
  readonly restrictedNodes: PersistentMap<true>;
  readonly topology: Topology;
  /** The number of Pods by priority. */
  readonly priorities: PersistentMap<number>;
  /** The Pods that are nominated to a node and wait for it, by node. */
  readonly nominated: PersistentMap<PersistentMap<PodInfo>>;
}

/** The Pods and resources in use on a node. */
export interface NodeUsage {
  readonly amounts: Amounts;
  /** By UID. */
  readonly pods: PersistentMap<PodInfo>;
}

export const NO_USAGE: NodeUsage = { amounts: NO_AMOUNTS, pods: emptyMap() };

export const EMPTY_OCCUPANCY: Occupancy = {
  nodes: emptyMap(),
  usage: emptyMap(),
  nodesByLabel: emptyMap(),
  restrictedNodes: emptyMap(),
  topology: NO_TOPOLOGY,
  priorities: emptyMap(),
  nominated: emptyMap(),
};

/** Returns the view after a node was added, changed (`before` and `after`) or deleted. */
export function withNode(
  occupancy: Occupancy,
  before: NodeInfo | undefined,
  after: NodeInfo | undefined,
): Occupancy {
  const name = (after ?? before)?.name ?? "";
  let { nodesByLabel, restrictedNodes, topology } = occupancy;
  if (before?.labels !== after?.labels) {
    for (const label of getLabels(before)) nodesByLabel = withoutMember(nodesByLabel, label, name);
    for (const [, pod] of occupancy.usage.get(name)?.pods.entries() ?? []) {
      topology = withPodCounted(topology, pod, before?.labels ?? {}, -1);
      topology = withPodCounted(topology, pod, after?.labels ?? {}, 1);
    }
  }
  for (const label of getLabels(after))
    nodesByLabel = withMember(nodesByLabel, label, name, after as NodeInfo);
  const isRestricted = after !== undefined && (after.isUnschedulable || after.taints.length > 0);
  restrictedNodes = isRestricted ? restrictedNodes.set(name, true) : restrictedNodes.delete(name);
  const { nodes } = occupancy;
  return withMembers(occupancy, {
    nodes: after === undefined ? nodes.delete(name) : nodes.set(name, after),
    nodesByLabel,
    restrictedNodes,
    topology,
  });
}

/** Adds a Pod to a node. */
export function withPod(occupancy: Occupancy, pod: PodInfo, node: string): Occupancy {
  const ready = withTerms(occupancy, pod);
  const { amounts, pods } = ready.usage.get(node) ?? NO_USAGE;
  const nodeUsage = { amounts: addAmounts(amounts, pod.requests), pods: pods.set(pod.uid, pod) };
  return withMembers(ready, {
    usage: ready.usage.set(node, nodeUsage),
    topology: withPodCounted(ready.topology, pod, ready.nodes.get(node)?.labels ?? {}, 1),
    priorities: updatePriorityCount(ready.priorities, pod, 1),
  });
}

/** Replaces a Pod with another version that has the same requests and labels. */
export function withPodVersion(occupancy: Occupancy, pod: PodInfo, node: string): Occupancy {
  const nodeUsage = occupancy.usage.get(node);
  if (nodeUsage === undefined) return occupancy;
  const next = withMembers(nodeUsage, { pods: nodeUsage.pods.set(pod.uid, pod) });
  return withMembers(occupancy, { usage: occupancy.usage.set(node, next) });
}

/** Removes a Pod from a node. */
export function withoutPod(occupancy: Occupancy, uid: string, node: string): Occupancy {
  const { amounts, pods } = occupancy.usage.get(node) ?? NO_USAGE;
  const pod = pods.get(uid);
  if (pod === undefined) return occupancy;
  const rest = { amounts: subtractAmounts(amounts, pod.requests), pods: pods.delete(uid) };
  return withMembers(occupancy, {
    usage: rest.pods.size === 0 ? occupancy.usage.delete(node) : occupancy.usage.set(node, rest),
    topology: withPodCounted(occupancy.topology, pod, occupancy.nodes.get(node)?.labels ?? {}, -1),
    priorities: updatePriorityCount(occupancy.priorities, pod, -1),
  });
}

/** Nominates a Pod to a node, or clears the nomination. */
export function withNominated(
  occupancy: Occupancy,
  pod: PodInfo,
  { from, to }: { readonly from: string; readonly to: string },
): Occupancy {
  if (from === "" && to === "") return occupancy;
  let { nominated } = occupancy;
  if (from !== "") nominated = withoutMember(nominated, from, pod.uid);
  if (to !== "") nominated = withMember(nominated, to, pod.uid, pod);
  return withMembers(occupancy, { nominated });
}

/**
 * Returns a view whose topology covers a Pod's terms. For the first Pod with such terms, all Pods are counted again.
 */
export function withTerms(occupancy: Occupancy, pod: PodInfo): Occupancy {
  if (coversTerms(occupancy.topology, pod)) return occupancy;
  let topology = createTopologyFor(occupancy.topology, pod);
  for (const [node, { pods }] of occupancy.usage.entries()) {
    const labels = occupancy.nodes.get(node)?.labels ?? {};
    for (const [, one] of pods.entries()) topology = withPodCounted(topology, one, labels, 1);
  }
  return withMembers(occupancy, { topology });
}

/** Returns the other Pods nominated to a node whose priority is at least that of a Pod. */
export function listNominatedPods(
  occupancy: Occupancy,
  pod: PodInfo,
  node: string,
): readonly PodInfo[] {
  const nominated = occupancy.nominated.size === 0 ? undefined : occupancy.nominated.get(node);
  if (nominated === undefined) return NO_PODS;
  return Array.from(nominated.entries(), ([, one]) => one).filter(
    ({ uid, priority }) => uid !== pod.uid && priority >= pod.priority,
  );
}

const NO_PODS: readonly PodInfo[] = [];

/** Returns whether any Pod has a lower priority. */
export function hasLowerPriorityPods({ priorities }: Occupancy, pod: PodInfo): boolean {
  for (const [priority] of priorities.entries()) {
    if (Number(priority) < pod.priority) return true;
  }
  return false;
}

function getLabels(node: NodeInfo | undefined): readonly string[] {
  return Object.entries(node?.labels ?? {}).map(([key, value]) => `${key}=${value}`);
}

function updatePriorityCount(
  priorities: PersistentMap<number>,
  { priority }: PodInfo,
  step: 1 | -1,
): PersistentMap<number> {
  const key = String(priority);
  const count = (priorities.get(key) ?? 0) + step;
  return count === 0 ? priorities.delete(key) : priorities.set(key, count);
}

function withMember<Member>(
  groups: PersistentMap<PersistentMap<Member>>,
  name: string,
  key: string,
  member: Member,
): PersistentMap<PersistentMap<Member>> {
  return groups.set(name, (groups.get(name) ?? emptyMap<Member>()).set(key, member));
}

function withoutMember<Member>(
  groups: PersistentMap<PersistentMap<Member>>,
  name: string,
  key: string,
): PersistentMap<PersistentMap<Member>> {
  const rest = groups.get(name)?.delete(key);
  if (rest === undefined) return groups;
  return rest.size === 0 ? groups.delete(name) : groups.set(name, rest);
}
