import { emptyMap, type PersistentMap } from "@jobset-ts/core/persistent-map";
import { withMembers } from "../with-members.ts";
import { type Amounts, findDifference, NOTHING, sumNumbers } from "./amounts.ts";
import type { NodeFacts } from "./node-facts.ts";
import type { PodFacts } from "./pod-facts.ts";
import { emptiedFor, knowsTerms, NO_TOPOLOGY, type Topology, withCounted } from "./topology.ts";

/**
 * The scheduler's view of the cluster, as an immutable value: the nodes, and the Pods that take up room on them. To try out
 * what would be, such as a node without its lesser Pods, makes another view.
 */
export interface Occupancy {
  readonly nodes: PersistentMap<NodeFacts>;
  /** What is taken of a node by its name, also of one that is not there. */
  readonly taken: PersistentMap<Taken>;
  /** The nodes that carry a label, by `<key>=<value>` and by name. */
  readonly labelled: PersistentMap<PersistentMap<NodeFacts>>;
  /** The names of the nodes that are cordoned or have taints. */
  readonly guarded: PersistentMap<true>;
  readonly topology: Topology;
  /** How many Pods have a priority, by it. */
  readonly priorities: PersistentMap<number>;
  /** Pods that wait for room on a node that was made for them, by the node. */
  readonly nominated: PersistentMap<PersistentMap<PodFacts>>;
}

/** What the Pods of a node take up. */
export interface Taken {
  readonly amounts: Amounts;
  /** By UID. */
  readonly pods: PersistentMap<PodFacts>;
}

export const NOTHING_TAKEN: Taken = { amounts: NOTHING, pods: emptyMap() };

export const EMPTY_OCCUPANCY: Occupancy = {
  nodes: emptyMap(),
  taken: emptyMap(),
  labelled: emptyMap(),
  guarded: emptyMap(),
  topology: NO_TOPOLOGY,
  priorities: emptyMap(),
  nominated: emptyMap(),
};

/** After a node came, changed (`before` and `after`) or went. */
export function withNode(
  occupancy: Occupancy,
  before: NodeFacts | undefined,
  after: NodeFacts | undefined,
): Occupancy {
  const name = (after ?? before)?.name ?? "";
  let { labelled, guarded, topology } = occupancy;
  if (before?.labels !== after?.labels) {
    for (const label of getLabels(before)) labelled = without(labelled, label, name);
    for (const [, pod] of occupancy.taken.get(name)?.pods.entries() ?? []) {
      topology = withCounted(topology, pod, before?.labels ?? {}, -1);
      topology = withCounted(topology, pod, after?.labels ?? {}, 1);
    }
  }
  for (const label of getLabels(after))
    labelled = within(labelled, label, name, after as NodeFacts);
  const isGuarded = after !== undefined && (after.isUnschedulable || after.taints.length > 0);
  guarded = isGuarded ? guarded.set(name, true) : guarded.delete(name);
  const { nodes } = occupancy;
  return withMembers(occupancy, {
    nodes: after === undefined ? nodes.delete(name) : nodes.set(name, after),
    labelled,
    guarded,
    topology,
  });
}

/** With a Pod that takes up room on a node. */
export function withPod(occupancy: Occupancy, pod: PodFacts, node: string): Occupancy {
  const ready = knowing(occupancy, pod);
  const { amounts, pods } = ready.taken.get(node) ?? NOTHING_TAKEN;
  const taken = { amounts: sumNumbers(amounts, pod.requests), pods: pods.set(pod.uid, pod) };
  return withMembers(ready, {
    taken: ready.taken.set(node, taken),
    topology: withCounted(ready.topology, pod, ready.nodes.get(node)?.labels ?? {}, 1),
    priorities: counted(ready.priorities, pod, 1),
  });
}

/** With another version of a Pod there that asks for the same and has the same labels. */
export function withVersion(occupancy: Occupancy, pod: PodFacts, node: string): Occupancy {
  const taken = occupancy.taken.get(node);
  if (taken === undefined) return occupancy;
  const next = withMembers(taken, { pods: taken.pods.set(pod.uid, pod) });
  return withMembers(occupancy, { taken: occupancy.taken.set(node, next) });
}

/** Without one that did. */
export function withoutPod(occupancy: Occupancy, uid: string, node: string): Occupancy {
  const { amounts, pods } = occupancy.taken.get(node) ?? NOTHING_TAKEN;
  const pod = pods.get(uid);
  if (pod === undefined) return occupancy;
  const rest = { amounts: findDifference(amounts, pod.requests), pods: pods.delete(uid) };
  return withMembers(occupancy, {
    taken: rest.pods.size === 0 ? occupancy.taken.delete(node) : occupancy.taken.set(node, rest),
    topology: withCounted(occupancy.topology, pod, occupancy.nodes.get(node)?.labels ?? {}, -1),
    priorities: counted(occupancy.priorities, pod, -1),
  });
}

/** With a Pod that a node was made free for, or without it. */
export function withNominated(
  occupancy: Occupancy,
  pod: PodFacts,
  { from, to }: { readonly from: string; readonly to: string },
): Occupancy {
  if (from === "" && to === "") return occupancy;
  let { nominated } = occupancy;
  if (from !== "") nominated = without(nominated, from, pod.uid);
  if (to !== "") nominated = within(nominated, to, pod.uid, pod);
  return withMembers(occupancy, { nominated });
}

/** A view that tells apart what a Pod's terms tell apart; the first Pod with such terms has all be counted again. */
export function knowing(occupancy: Occupancy, pod: PodFacts): Occupancy {
  if (knowsTerms(occupancy.topology, pod)) return occupancy;
  let topology = emptiedFor(occupancy.topology, pod);
  for (const [node, { pods }] of occupancy.taken.entries()) {
    const labels = occupancy.nodes.get(node)?.labels ?? {};
    for (const [, one] of pods.entries()) topology = withCounted(topology, one, labels, 1);
  }
  return withMembers(occupancy, { topology });
}

/** The Pods for which a node was made free, as long as no lesser than a Pod and not that Pod itself. */
export function nominatedOver(
  occupancy: Occupancy,
  pod: PodFacts,
  node: string,
): readonly PodFacts[] {
  const nominated = occupancy.nominated.size === 0 ? undefined : occupancy.nominated.get(node);
  if (nominated === undefined) return NO_PODS;
  return Array.from(nominated.entries(), ([, one]) => one).filter(
    ({ uid, priority }) => uid !== pod.uid && priority >= pod.priority,
  );
}

const NO_PODS: readonly PodFacts[] = [];

/** Whether any Pod has a lower priority. */
export function hasLesserPods({ priorities }: Occupancy, pod: PodFacts): boolean {
  for (const [priority] of priorities.entries()) {
    if (Number(priority) < pod.priority) return true;
  }
  return false;
}

function getLabels(node: NodeFacts | undefined): readonly string[] {
  return Object.entries(node?.labels ?? {}).map(([key, value]) => `${key}=${value}`);
}

function counted(
  priorities: PersistentMap<number>,
  { priority }: PodFacts,
  step: 1 | -1,
): PersistentMap<number> {
  const key = String(priority);
  const count = (priorities.get(key) ?? 0) + step;
  return count === 0 ? priorities.delete(key) : priorities.set(key, count);
}

function within<Member>(
  groups: PersistentMap<PersistentMap<Member>>,
  name: string,
  key: string,
  member: Member,
): PersistentMap<PersistentMap<Member>> {
  return groups.set(name, (groups.get(name) ?? emptyMap<Member>()).set(key, member));
}

function without<Member>(
  groups: PersistentMap<PersistentMap<Member>>,
  name: string,
  key: string,
): PersistentMap<PersistentMap<Member>> {
  const rest = groups.get(name)?.delete(key);
  if (rest === undefined) return groups;
  return rest.size === 0 ? groups.delete(name) : groups.set(name, rest);
}
