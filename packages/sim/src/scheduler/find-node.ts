import { compareBytes } from "@jobset-ts/api/text";
import type { PersistentMap } from "@jobset-ts/core/persistent-map";
import { AffinityCheck } from "./affinity-check.ts";
import {
  type Filter,
  filterByTaints,
  filterNode,
  MISMATCHED,
  type NodeRejection,
  UNNAMED,
} from "./node-filters.ts";
import type { NodeInfo } from "./node-info.ts";
import { getNamedNodes } from "./node-selector.ts";
import type { Occupancy } from "./occupancy.ts";
import type { PodInfo } from "./pod-info.ts";

/** A node for a Pod, or why there is none. */
export type FindNodeResult =
  | { readonly found: true; readonly node: string }
  | ({ readonly found: false } & NoNode);

export interface NoNode {
  readonly nodeCount: number;
  /** The number of nodes by reason. */
  readonly reasons: ReadonlyMap<string, number>;
  readonly filters: ReadonlySet<Filter>;
  /** The nodes that the deletion of other Pods can make feasible. */
  readonly resolvableNodes: readonly NodeInfo[];
}

/**
 * How to choose among the feasible nodes: `ByName` selects the first by name, and `ByChance` a random one. The real
 * scheduler leaves the choice between equal nodes open.
 */
export type NodeChoice = "ByName" | "ByChance";

/**
 * Finds a node for a Pod, and stops at the first one. Nodes that a label of the node selector or a required node name
 * excludes are only counted.
 *
 * @param draw - for `ByChance`, where to start: from 0 (inclusive) to 1 (exclusive)
 */
export function findNode(
  occupancy: Occupancy,
  pod: PodInfo,
  choice: NodeChoice,
  draw: () => number,
): FindNodeResult {
  const check = new AffinityCheck(occupancy.topology, pod);
  const names = getNamedNodes(pod.nodeTerms);
  const nodes = names
    ? pickNodes(occupancy.nodes, names)
    : orderNodes(findCandidates(occupancy, pod), choice);
  const start = choice === "ByName" ? 0 : Math.floor(draw() * nodes.length);
  const tally = new Tally(occupancy.nodes.size);
  for (let step = 0; step < nodes.length; step++) {
    const node = nodes[(start + step) % nodes.length] as NodeInfo;
    const rejection = filterNode(occupancy, check, pod, node);
    if (rejection === undefined) return { found: true, node: node.name };
    tally.add(rejection, node);
  }
  if (names) tally.addRest(UNNAMED);
  else if (nodes.length < occupancy.nodes.size) countSkippedNodes(tally, occupancy, pod);
  return { found: false, ...tally.toResult() };
}

function pickNodes(
  nodes: PersistentMap<NodeInfo>,
  names: ReadonlySet<string>,
): readonly NodeInfo[] {
  return [...names].sort(compareBytes).flatMap((name) => nodes.get(name) ?? []);
}

/** Returns the candidate nodes: those with the rarest label of the Pod's node selector, or all. */
function findCandidates(occupancy: Occupancy, pod: PodInfo): PersistentMap<NodeInfo> | undefined {
  let fewest: PersistentMap<NodeInfo> = occupancy.nodes;
  for (const [key, value] of pod.nodeSelector) {
    const nodes = occupancy.nodesByLabel.get(`${key}=${value}`);
    if (nodes === undefined) return undefined;
    if (nodes.size < fewest.size) fewest = nodes;
  }
  return fewest;
}

const NONE: readonly NodeInfo[] = [];

/** The values of immutable maps, in both orders. */
const orderedLists = new WeakMap<
  PersistentMap<NodeInfo>,
  Partial<Record<NodeChoice, readonly NodeInfo[]>>
>();

function orderNodes(
  nodes: PersistentMap<NodeInfo> | undefined,
  choice: NodeChoice,
): readonly NodeInfo[] {
  if (nodes === undefined) return NONE;
  const cached = orderedLists.get(nodes) ?? {};
  let list = cached[choice];
  if (list === undefined) {
    const all = Array.from(nodes.entries(), ([, node]) => node);
    list = choice === "ByName" ? all.sort((one, other) => compareBytes(one.name, other.name)) : all;
    orderedLists.set(nodes, { ...cached, [choice]: list });
  }
  return list;
}

/** Counts the nodes that were not checked: restricted nodes, and nodes that the node selector excludes. */
function countSkippedNodes(tally: Tally, occupancy: Occupancy, pod: PodInfo): void {
  for (const [name] of occupancy.restrictedNodes.entries()) {
    const node = occupancy.nodes.get(name);
    if (node === undefined || tally.has(node)) continue;
    const rejection = filterByTaints(pod, node);
    if (rejection !== undefined) tally.add(rejection, node);
  }
  tally.addRest(MISMATCHED);
}

class Tally {
  readonly #reasons = new Map<string, number>();
  readonly #filters = new Set<Filter>();
  readonly #resolvableNodes: NodeInfo[] = [];
  readonly #checkedNodes = new Set<NodeInfo>();
  readonly #nodeCount: number;

  constructor(nodeCount: number) {
    this.#nodeCount = nodeCount;
  }

  has(node: NodeInfo): boolean {
    return this.#checkedNodes.has(node);
  }

  add(rejection: NodeRejection, node: NodeInfo): void {
    this.#checkedNodes.add(node);
    if (rejection.isResolvable) this.#resolvableNodes.push(node);
    this.#count(rejection, 1);
  }

  addRest(rejection: NodeRejection): void {
    const remainingCount = this.#nodeCount - this.#checkedNodes.size;
    if (remainingCount > 0) this.#count(rejection, remainingCount);
  }

  toResult(): NoNode {
    return {
      nodeCount: this.#nodeCount,
      reasons: this.#reasons,
      filters: this.#filters,
      resolvableNodes: this.#resolvableNodes,
    };
  }

  #count({ filter, reasons }: NodeRejection, count: number): void {
    this.#filters.add(filter);
    for (const reason of reasons)
      this.#reasons.set(reason, (this.#reasons.get(reason) ?? 0) + count);
  }
}
