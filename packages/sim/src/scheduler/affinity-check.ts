import type { NodeFacts } from "./node-facts.ts";
import { ownMember } from "./node-selector.ts";
import type { PodFacts } from "./pod-facts.ts";
import { type Labels, neededLabel, type PodTerm, termSelects } from "./pod-term.ts";
import { type AlikePods, domainId, isRepelled, type Topology } from "./topology.ts";

/** What affinity between Pods says against a node. */
export type AffinityFault = "Affinity" | "AntiAffinity" | "ExistingAntiAffinity";

/** Checks for one Pod which nodes fit beside the existing Pods. Each domain is checked once. */
export class AffinityCheck {
  readonly #topology: Topology;
  readonly #pod: PodFacts;
  /** The Pods that all its affinity terms select. */
  readonly #kin: readonly AlikePods[];
  /** None of its kin is anywhere, and it is kin itself: the first of its kind may go anywhere. */
  readonly #isFirst: boolean;
  readonly #affinity: readonly Answers[];
  readonly #antiAffinity: readonly Answers[];
  readonly #repelling: readonly Answers[];

  constructor(topology: Topology, pod: PodFacts) {
    this.#topology = topology;
    this.#pod = pod;
    this.#kin = pod.affinity.length === 0 ? [] : findRelatives(topology, pod);
    this.#isFirst =
      pod.affinity.length > 0 &&
      this.#kin.every(({ domains }) => domains.size === 0) &&
      pod.affinity.every((term) => termSelects(term, pod.namespace, pod));
    this.#affinity = pod.affinity.map(({ topologyKey }) =>
      createAnswers(topologyKey, (domain) => !this.#isFirst && !this.#hasKin(domain)),
    );
    this.#antiAffinity = pod.antiAffinity.map((term) =>
      createAnswers(term.topologyKey, (domain) => this.#hasForeign(term, domain)),
    );
    this.#repelling = topology.topologyKeys.map((topologyKey) =>
      createAnswers(topologyKey, (domain) => isRepelled(topology.domains.get(domain), pod)),
    );
  }

  fault({ labels }: NodeFacts): AffinityFault | undefined {
    for (const each of this.#affinity) if (isRefused(each, labels, true)) return "Affinity";
    for (const each of this.#antiAffinity)
      if (isRefused(each, labels, false)) return "AntiAffinity";
    for (const each of this.#repelling) {
      if (isRefused(each, labels, false)) return "ExistingAntiAffinity";
    }
    return undefined;
  }

  #hasKin(domain: string): boolean {
    return this.#kin.some(({ domains }) => domains.get(domain) !== undefined);
  }

  #hasForeign(term: PodTerm, domain: string): boolean {
    const { domains, alike } = this.#topology;
    const counts = domains.get(domain)?.counts;
    if (counts === undefined) return false;
    for (const [id] of counts.entries()) {
      const pods = alike.get(id);
      if (pods !== undefined && termSelects(term, this.#pod.namespace, pods)) return true;
    }
    return false;
  }
}

/** The results of a topology key by domain, as far as they were needed. */
interface Answers {
  readonly topologyKey: string;
  readonly known: Map<string, boolean>;
  readonly judge: (domain: string) => boolean;
}

function createAnswers(topologyKey: string, judge: Answers["judge"]): Answers {
  return { topologyKey, known: new Map(), judge };
}

/** @param withoutKey - what is said of a node without the key */
function isRefused(
  { topologyKey, known, judge }: Answers,
  labels: Labels,
  withoutKey: boolean,
): boolean {
  const value = ownMember(labels, topologyKey);
  if (value === undefined) return withoutKey;
  let refused = known.get(value);
  if (refused === undefined) {
    refused = judge(domainId(topologyKey, value));
    known.set(value, refused);
  }
  return refused;
}

function findRelatives(topology: Topology, pod: PodFacts): readonly AlikePods[] {
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
