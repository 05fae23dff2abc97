import type { NodeFacts } from "./node-facts.ts";
import { ownMember } from "./node-selector.ts";
import type { PodFacts } from "./pod-facts.ts";
import { neededLabel, type PodTerm, termSelects } from "./pod-term.ts";
import { type AlikePods, domainId, isRepelled, type Topology } from "./topology.ts";

/** What affinity between Pods says against a node. */
export type AffinityFault = "Affinity" | "AntiAffinity" | "ExistingAntiAffinity";

/** Asks of one Pod whether nodes suit it beside the Pods that are there; each domain is looked at once. */
export class AffinityCheck {
  readonly #topology: Topology;
  readonly #pod: PodFacts;
  /** The Pods that all its affinity terms select. */
  readonly #kin: readonly AlikePods[];
  /** None of its kin is anywhere, and it is kin itself: the first of its kind may go anywhere. */
  readonly #isFirst: boolean;
  readonly #verdicts = new Map<string, boolean>();

  constructor(topology: Topology, pod: PodFacts) {
    this.#topology = topology;
    this.#pod = pod;
    this.#kin = pod.affinity.length === 0 ? [] : kinOf(topology, pod);
    this.#isFirst =
      pod.affinity.length > 0 &&
      this.#kin.every(({ domains }) => domains.size === 0) &&
      pod.affinity.every((term) => termSelects(term, pod.namespace, pod));
  }

  fault({ labels }: NodeFacts): AffinityFault | undefined {
    for (const { topologyKey } of this.#pod.affinity) {
      const value = ownMember(labels, topologyKey);
      if (value === undefined) return "Affinity";
      if (!this.#isFirst && !this.#hasKin(domainId(topologyKey, value))) return "Affinity";
    }
    for (const [index, term] of this.#pod.antiAffinity.entries()) {
      const value = ownMember(labels, term.topologyKey);
      if (value !== undefined && this.#hasForeign(term, index, domainId(term.topologyKey, value))) {
        return "AntiAffinity";
      }
    }
    for (const topologyKey of this.#topology.topologyKeys) {
      const value = ownMember(labels, topologyKey);
      if (value !== undefined && this.#isRepelledIn(domainId(topologyKey, value))) {
        return "ExistingAntiAffinity";
      }
    }
    return undefined;
  }

  #hasKin(domain: string): boolean {
    return this.#once(`kin ${domain}`, () =>
      this.#kin.some(({ domains }) => domains.get(domain) !== undefined),
    );
  }

  #hasForeign(term: PodTerm, index: number, domain: string): boolean {
    return this.#once(`${index} ${domain}`, () => {
      const { domains, alike } = this.#topology;
      const counts = domains.get(domain)?.counts;
      if (counts === undefined) return false;
      for (const [id] of counts.entries()) {
        const pods = alike.get(id);
        if (pods !== undefined && termSelects(term, this.#pod.namespace, pods)) return true;
      }
      return false;
    });
  }

  #isRepelledIn(domain: string): boolean {
    return this.#once(`repelled ${domain}`, () =>
      isRepelled(this.#topology.domains.get(domain), this.#pod),
    );
  }

  #once(question: string, answer: () => boolean): boolean {
    let verdict = this.#verdicts.get(question);
    if (verdict === undefined) {
      verdict = answer();
      this.#verdicts.set(question, verdict);
    }
    return verdict;
  }
}

function kinOf(topology: Topology, pod: PodFacts): readonly AlikePods[] {
  const needed = pod.affinity.map(neededLabel).find((label) => label !== undefined);
  const candidates =
    needed === undefined
      ? Array.from(topology.alike.entries(), ([, pods]) => pods)
      : needed.values.flatMap((value) => {
          const ids = topology.alikeByLabel.get(`${needed.key}=${value}`);
          return Array.from(ids?.entries() ?? [], ([id]) => topology.alike.get(id) as AlikePods);
        });
  return candidates.filter((pods) =>
    pod.affinity.every((term) => termSelects(term, pod.namespace, pods)),
  );
}
