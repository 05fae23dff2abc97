import { emptyMap, type PersistentMap } from "@jobset-ts/core/persistent-map";
import { withMembers } from "../with-members.ts";
import { getOwnMember } from "./node-selector.ts";
import {
  getSelectorKeys,
  type Labels,
  matchesTerm,
  type RequiredAffinityTerm,
} from "./pod-affinity-term.ts";
import type { PodInfo } from "./pod-info.ts";

/**
 * The distribution of Pods for affinity, by domain of each topology key that a term uses. Pods with the same namespace
 * and the same labels (of the keys that some selector uses) form a class and are counted together.
 */
export interface Topology {
  readonly topologyKeys: readonly string[];
  readonly labelKeys: readonly string[];
  /** The domains by the result of {@link getDomainId}. */
  readonly domains: PersistentMap<Domain>;
  readonly alike: PersistentMap<PodClass>;
  /** By `<key>=<value>` of a label, the IDs of the classes that have it. */
  readonly classesByLabel: PersistentMap<PersistentMap<true>>;
}

/** The Pods on all nodes with one value of a topology key. */
export interface Domain {
  /** The number of Pods by class ID. */
  readonly counts: PersistentMap<number>;
  /** The anti-affinity terms of its Pods for this domain. */
  readonly antiTerms: PersistentMap<OwnedTerm>;
}

/** A term, and the namespace of the Pod that has it. */
export interface OwnedTerm {
  readonly term: RequiredAffinityTerm;
  readonly namespace: string;
}

export interface PodClass {
  readonly namespace: string;
  readonly labels: Labels;
  readonly count: number;
  /** The number of its Pods in each domain. */
  readonly domains: PersistentMap<number>;
}

export const NO_TOPOLOGY: Topology = {
  topologyKeys: [],
  labelKeys: [],
  domains: emptyMap(),
  alike: emptyMap(),
  classesByLabel: emptyMap(),
};

const EMPTY_DOMAIN: Domain = { counts: emptyMap(), antiTerms: emptyMap() };

export function getDomainId(topologyKey: string, value: string): string {
  return `${topologyKey}=${value}`;
}

/** Returns whether a topology distinguishes everything that a Pod's terms distinguish. */
export function coversTerms({ topologyKeys, labelKeys }: Topology, pod: PodInfo): boolean {
  return listTerms(pod).every(
    (term) =>
      topologyKeys.includes(term.topologyKey) &&
      getSelectorKeys(term).every((key) => labelKeys.includes(key)),
  );
}

/** Returns an empty topology that also covers a Pod's terms. */
export function createTopologyFor(topology: Topology, pod: PodInfo): Topology {
  const terms = listTerms(pod);
  const topologyKeys = new Set(topology.topologyKeys);
  const labelKeys = new Set(topology.labelKeys);
  for (const term of terms) {
    topologyKeys.add(term.topologyKey);
    for (const key of getSelectorKeys(term)) labelKeys.add(key);
  }
  return { ...NO_TOPOLOGY, topologyKeys: [...topologyKeys], labelKeys: [...labelKeys] };
}

/** Adds (`step` 1) or removes (−1) a Pod on a node with these labels. */
export function withPodCounted(
  topology: Topology,
  pod: PodInfo,
  nodeLabels: Labels,
  step: 1 | -1,
): Topology {
  const labels = Object.fromEntries(
    topology.labelKeys.flatMap((key) => {
      const value = getOwnMember(pod.labels, key);
      return value === undefined ? [] : [[key, value] as const];
    }),
  );
  const id = JSON.stringify([pod.namespace, labels]);
  const known = topology.alike.get(id);
  let inDomains = known?.domains ?? emptyMap<number>();
  let { domains } = topology;
  for (const topologyKey of topology.topologyKeys) {
    const value = getOwnMember(nodeLabels, topologyKey);
    if (value === undefined) continue;
    const domain = getDomainId(topologyKey, value);
    inDomains = addToCount(inDomains, domain, step);
    const before = domains.get(domain) ?? EMPTY_DOMAIN;
    const counts = addToCount(before.counts, id, step);
    const antiTerms = withAntiTerms(before.antiTerms, pod, topologyKey, step);
    domains =
      counts.size === 0 ? domains.delete(domain) : domains.set(domain, { counts, antiTerms });
  }
  const count = (known?.count ?? 0) + step;
  const alike =
    count === 0
      ? topology.alike.delete(id)
      : topology.alike.set(id, { namespace: pod.namespace, labels, count, domains: inDomains });
  const classesByLabel =
    known === undefined || count === 0
      ? updateLabelIndex(topology.classesByLabel, id, labels, count > 0)
      : topology.classesByLabel;
  return withMembers(topology, { domains, alike, classesByLabel });
}

function listTerms(pod: PodInfo): readonly RequiredAffinityTerm[] {
  return [...pod.affinity, ...pod.antiAffinity];
}

function addToCount(
  counts: PersistentMap<number>,
  key: string,
  step: 1 | -1,
): PersistentMap<number> {
  const count = (counts.get(key) ?? 0) + step;
  return count === 0 ? counts.delete(key) : counts.set(key, count);
}

function withAntiTerms(
  terms: PersistentMap<OwnedTerm>,
  pod: PodInfo,
  topologyKey: string,
  step: 1 | -1,
): PersistentMap<OwnedTerm> {
  let next = terms;
  pod.antiAffinity.forEach((term, index) => {
    if (term.topologyKey !== topologyKey) return;
    const key = `${pod.uid}/${index}`;
    next = step < 0 ? next.delete(key) : next.set(key, { term, namespace: pod.namespace });
  });
  return next;
}

function updateLabelIndex(
  byLabel: PersistentMap<PersistentMap<true>>,
  id: string,
  labels: Labels,
  isThere: boolean,
): PersistentMap<PersistentMap<true>> {
  let next = byLabel;
  for (const [key, value] of Object.entries(labels)) {
    const label = `${key}=${value}`;
    const ids = next.get(label) ?? emptyMap<true>();
    const changed = isThere ? ids.set(id, true) : ids.delete(id);
    next = changed.size === 0 ? next.delete(label) : next.set(label, changed);
  }
  return next;
}

/** Returns whether an anti-affinity term in a domain selects a Pod. */
export function isRepelled(domain: Domain | undefined, pod: PodInfo): boolean {
  if (domain === undefined || domain.antiTerms.size === 0) return false;
  for (const [, { term, namespace }] of domain.antiTerms.entries()) {
    if (matchesTerm(term, namespace, pod)) return true;
  }
  return false;
}
