import { compareBytes } from "@jobset-ts/api/text";
import type { PersistentMap } from "@jobset-ts/core/persistent-map";
import { AffinityCheck } from "./affinity-check.ts";
import type { NodeFacts } from "./node-facts.ts";
import {
  createRefusal,
  type Filter,
  guardRefusal,
  MISMATCHED,
  type Refusal,
  UNNAMED,
} from "./node-filters.ts";
import { namedNodes } from "./node-selector.ts";
import type { Occupancy } from "./occupancy.ts";
import type { PodFacts } from "./pod-facts.ts";

/** A node for a Pod, or why there is none. */
export type Found =
  | { readonly found: true; readonly node: string }
  | ({ readonly found: false } & NoNode);

export interface NoNode {
  readonly nodeCount: number;
  /** On how many nodes, by the reason. */
  readonly reasons: ReadonlyMap<string, number>;
  readonly filters: ReadonlySet<Filter>;
  /** The nodes on which the end of other Pods could help. */
  readonly forNow: readonly NodeFacts[];
}

/**
 * Which of the nodes that would take a Pod it gets: `ByName` the first by name, `ByChance` any, as the real one leaves
 * open which of equal nodes it chooses.
 */
export type NodeChoice = "ByName" | "ByChance";

/**
 * Looks for a node that takes a Pod, and looks at no more of them than it takes to find one. Nodes that a label of the
 * Pod's selector rules out are counted only, and so are those that it does not name where it names some.
 *
 * @param drawn - for `ByChance`, where to begin: from 0 up to, but not, 1
 */
export function findNode(
  occupancy: Occupancy,
  pod: PodFacts,
  choice: NodeChoice,
  drawn: () => number,
): Found {
  const check = new AffinityCheck(occupancy.topology, pod);
  const names = namedNodes(pod.nodeTerms);
  const nodes = names
    ? nodesNamed(occupancy.nodes, names)
    : createList(findCandidates(occupancy, pod), choice);
  const start = choice === "ByName" ? 0 : Math.floor(drawn() * nodes.length);
  const tally = new Tally(occupancy.nodes.size);
  for (let step = 0; step < nodes.length; step++) {
    const node = nodes[(start + step) % nodes.length] as NodeFacts;
    const refusal = createRefusal(occupancy, check, pod, node);
    if (refusal === undefined) return { found: true, node: node.name };
    tally.add(refusal, node);
  }
  if (names) tally.addRest(UNNAMED);
  else if (nodes.length < occupancy.nodes.size) tallyOthers(tally, occupancy, pod);
  return { found: false, ...tally.told() };
}

function nodesNamed(
  nodes: PersistentMap<NodeFacts>,
  names: ReadonlySet<string>,
): readonly NodeFacts[] {
  return [...names].sort(compareBytes).flatMap((name) => nodes.get(name) ?? []);
}

/** The nodes among which to look: those with the rarest label that the Pod's selector names, or all. */
function findCandidates(occupancy: Occupancy, pod: PodFacts): PersistentMap<NodeFacts> | undefined {
  let fewest: PersistentMap<NodeFacts> = occupancy.nodes;
  for (const [key, value] of pod.nodeSelector) {
    const nodes = occupancy.labelled.get(`${key}=${value}`);
    if (nodes === undefined) return undefined;
    if (nodes.size < fewest.size) fewest = nodes;
  }
  return fewest;
}

const NONE: readonly NodeFacts[] = [];

/** What is in maps, which do not change, in both orders. */
const listed = new WeakMap<
  PersistentMap<NodeFacts>,
  Partial<Record<NodeChoice, readonly NodeFacts[]>>
>();

function createList(
  nodes: PersistentMap<NodeFacts> | undefined,
  choice: NodeChoice,
): readonly NodeFacts[] {
  if (nodes === undefined) return NONE;
  const known = listed.get(nodes) ?? {};
  let list = known[choice];
  if (list === undefined) {
    const all = Array.from(nodes.entries(), ([, node]) => node);
    list = choice === "ByName" ? all.sort((one, other) => compareBytes(one.name, other.name)) : all;
    listed.set(nodes, { ...known, [choice]: list });
  }
  return list;
}

/** Counts the nodes that were not looked at: they are guarded, or not what the Pod asks for. */
function tallyOthers(tally: Tally, occupancy: Occupancy, pod: PodFacts): void {
  for (const [name] of occupancy.guarded.entries()) {
    const node = occupancy.nodes.get(name);
    if (node === undefined || tally.has(node)) continue;
    const refusal = guardRefusal(pod, node);
    if (refusal !== undefined) tally.add(refusal, node);
  }
  tally.addRest(MISMATCHED);
}

class Tally {
  readonly #reasons = new Map<string, number>();
  readonly #filters = new Set<Filter>();
  readonly #forNow: NodeFacts[] = [];
  readonly #seen = new Set<NodeFacts>();
  readonly #nodeCount: number;

  constructor(nodeCount: number) {
    this.#nodeCount = nodeCount;
  }

  has(node: NodeFacts): boolean {
    return this.#seen.has(node);
  }

  add(refusal: Refusal, node: NodeFacts): void {
    this.#seen.add(node);
    if (refusal.isForNow) this.#forNow.push(node);
    this.#count(refusal, 1);
  }

  addRest(refusal: Refusal): void {
    const rest = this.#nodeCount - this.#seen.size;
    if (rest > 0) this.#count(refusal, rest);
  }

  told(): NoNode {
    return {
      nodeCount: this.#nodeCount,
      reasons: this.#reasons,
      filters: this.#filters,
      forNow: this.#forNow,
    };
  }

  #count({ filter, reasons }: Refusal, count: number): void {
    this.#filters.add(filter);
    for (const reason of reasons)
      this.#reasons.set(reason, (this.#reasons.get(reason) ?? 0) + count);
  }
}
