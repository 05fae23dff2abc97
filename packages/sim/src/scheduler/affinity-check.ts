import type { NodeInfo } from "./node-info.ts";
import { getOwnMember } from "./node-selector.ts";
import {
  findRequiredLabel,
  type Labels,
  matchesTerm,
  type RequiredAffinityTerm,
} from "./pod-affinity-term.ts";
import type { PodInfo } from "./pod-info.ts";
import { getDomainId, isRepelled, type PodClass, type Topology } from "./topology.ts";

/** The rule by which affinity between Pods excludes a node. */
export type AffinityFault = "Affinity" | "AntiAffinity" | "ExistingAntiAffinity";

/** Checks which nodes one Pod fits on, given the existing Pods. Each domain is checked once. */
export class AffinityCheck {
  readonly #topology: Topology;
  readonly #pod: PodInfo;
  /** The classes of Pods that all its affinity terms select. */
  readonly #selectedClasses: readonly PodClass[];
  /** Whether no selected Pod exists and the Pod selects itself. The first Pod of a group can go anywhere. */
  readonly #isFirst: boolean;
  readonly #affinity: readonly CachedResults[];
  readonly #antiAffinity: readonly CachedResults[];
  readonly #repelling: readonly CachedResults[];

  constructor(topology: Topology, pod: PodInfo) {
    this.#topology = topology;
    this.#pod = pod;
    this.#selectedClasses = pod.affinity.length === 0 ? [] : findMatchingClasses(topology, pod);
    this.#isFirst =
      pod.affinity.length > 0 &&
      this.#selectedClasses.every(({ domains }) => domains.size === 0) &&
      pod.affinity.every((term) => matchesTerm(term, pod.namespace, pod));
    this.#affinity = pod.affinity.map(({ topologyKey }) =>
      createCachedResults(topologyKey, (domain) => !this.#isFirst && !this.#hasKin(domain)),
    );
    this.#antiAffinity = pod.antiAffinity.map((term) =>
      createCachedResults(term.topologyKey, (domain) => this.#hasForeign(term, domain)),
    );
    this.#repelling = topology.topologyKeys.map((topologyKey) =>
      createCachedResults(topologyKey, (domain) => isRepelled(topology.domains.get(domain), pod)),
    );
  }

  fault({ labels }: NodeInfo): AffinityFault | undefined {
    for (const each of this.#affinity) if (isRejected(each, labels, true)) return "Affinity";
    for (const each of this.#antiAffinity)
      if (isRejected(each, labels, false)) return "AntiAffinity";
    for (const each of this.#repelling) {
      if (isRejected(each, labels, false)) return "ExistingAntiAffinity";
    }
    return undefined;
  }

  #hasKin(domain: string): boolean {
    return this.#selectedClasses.some(({ domains }) => domains.get(domain) !== undefined);
  }

  #hasForeign(term: RequiredAffinityTerm, domain: string): boolean {
    const { domains, alike } = this.#topology;
    const counts = domains.get(domain)?.counts;
    if (counts === undefined) return false;
    for (const [id] of counts.entries()) {
      const pods = alike.get(id);
      if (pods !== undefined && matchesTerm(term, this.#pod.namespace, pods)) return true;
    }
    return false;
  }
}

/** The results for a topology key by domain, computed on demand. */
interface CachedResults {
  readonly topologyKey: string;
  readonly results: Map<string, boolean>;
  readonly judge: (domain: string) => boolean;
}

function createCachedResults(topologyKey: string, judge: CachedResults["judge"]): CachedResults {
  return { topologyKey, results: new Map(), judge };
}

/** @param withoutKey - the result for a node without the topology key */
function isRejected(
  { topologyKey, results, judge }: CachedResults,
  labels: Labels,
  withoutKey: boolean,
): boolean {
  const value = getOwnMember(labels, topologyKey);
  if (value === undefined) return withoutKey;
  let rejected = results.get(value);
  if (rejected === undefined) {
    rejected = judge(getDomainId(topologyKey, value));
    results.set(value, rejected);
  }
  return rejected;
}

function findMatchingClasses(topology: Topology, pod: PodInfo): readonly PodClass[] {
  const required = pod.affinity.map(findRequiredLabel).find((label) => label !== undefined);
  const candidates =
    required === undefined
      ? Array.from(topology.alike.entries(), ([, pods]) => pods)
      : required.values.flatMap((value) => {
          const ids = topology.classesByLabel.get(`${required.key}=${value}`);
          return Array.from(ids?.entries() ?? [], ([id]) => topology.alike.get(id) as PodClass);
        });
  return candidates.filter((pods) =>
    pod.affinity.every((term) => matchesTerm(term, pod.namespace, pods)),
  );
}
