import { reconcile } from "@jobset-ts/core";
import { type Cluster, clusters } from "@jobset-ts/testing/arbitraries";
import {
  breachesOf,
  type Controller,
  controllerOfPlans,
  lawOfBreach,
  type ReconcileLawName,
  reconcileLaws,
} from "@jobset-ts/testing/reconcile";
import fc from "fast-check";
import type { Bundle, Defect, Mutant } from "./defects.ts";
import { type MutatedCore, mutatedCore } from "./mutated-core.ts";

/** How often a property runs when nobody says otherwise. */
const RUNS = 100;

/** What has become of a defect that was brought back. */
export interface Resurrected {
  readonly defect: Defect & Mutant;
  /** The law that catches it on every seed, the quickest first; absent when none does. */
  readonly law?: string;
  /** How many cases that law needed, by seed. */
  readonly runs: readonly number[];
  /** How many lines its counterexample has, shrunk. */
  readonly lines?: number;
  /** Of one that survives: what caught it on how many seeds. */
  readonly caught: ReadonlyMap<string, number>;
}

/** Brings a defect back and holds its laws against it, once for each seed. */
export async function resurrect(
  root: string,
  defect: Defect & Mutant,
  seeds: number,
): Promise<Resurrected> {
  const { trials, shrunkLines } = bundles[defect.laws];
  const core = await mutatedCore(root, defect.row, defect.changes);
  const tried = Array.from({ length: seeds }, (_, index) => trials(core, index + 1));
  const caught = new Map<string, number>();
  for (const trial of tried) {
    for (const law of await trial.firstBroken()) caught.set(law, (caught.get(law) ?? 0) + 1);
  }
  const mostFrequent = [...caught].sort((one, other) => other[1] - one[1]);
  for (const [law] of mostFrequent) {
    const runs: number[] = [];
    for (const trial of tried) {
      const needed = await trial.runsUntil(law);
      if (needed === undefined) break;
      runs.push(needed);
    }
    if (runs.length < seeds) continue;
    return { defect, law, runs, caught, lines: await shrunkLines(core, law, 1) };
  }
  return { defect, runs: [], caught };
}

/** Laws that core as it is breaks, and on which seed: there are to be none. */
export async function brokenWithoutDefect(seeds: number): Promise<readonly string[]> {
  const broken: string[] = [];
  for (const [name, { trials }] of Object.entries(bundles)) {
    for (let seed = 1; seed <= seeds; seed += 1) {
      const laws = await trials(undefined, seed).firstBroken();
      for (const law of laws) broken.push(`${law} (laws of ${name}, seed ${seed})`);
    }
  }
  return broken;
}

/** One seed's cases, held against one subject as far as somebody asks. */
class Trial<Case> {
  readonly #cases: readonly Case[];
  readonly #lawsBrokenBy: (one: Case) => Promise<ReadonlySet<string>>;
  /** The laws that each case breaks, of those looked at so far. */
  readonly #broken: ReadonlySet<string>[] = [];

  constructor(cases: readonly Case[], lawsBrokenBy: (one: Case) => Promise<ReadonlySet<string>>) {
    this.#cases = cases;
    this.#lawsBrokenBy = lawsBrokenBy;
  }

  /** The laws that the first case breaks of those that break any. */
  async firstBroken(): Promise<ReadonlySet<string>> {
    for (let index = 0; index < this.#cases.length; index += 1) {
      const laws = await this.#at(index);
      if (laws.size > 0) return laws;
    }
    return new Set();
  }

  /** How many cases it takes until one breaks a law. */
  async runsUntil(law: string): Promise<number | undefined> {
    for (let index = 0; index < this.#cases.length; index += 1) {
      if ((await this.#at(index)).has(law)) return index + 1;
    }
    return undefined;
  }

  async #at(index: number): Promise<ReadonlySet<string>> {
    const known = this.#broken[index];
    if (known !== undefined) return known;
    const laws = await this.#lawsBrokenBy(this.#cases[index] as Case);
    this.#broken[index] = laws;
    return laws;
  }
}

/** What holds a copy of core against laws. */
interface Examination {
  /** @param core - a mutated copy, or the one that the laws themselves use */
  readonly trials: (
    core: MutatedCore | undefined,
    seed: number,
  ) => Pick<Trial<never>, "firstBroken" | "runsUntil">;
  /** How many lines a law's counterexample has. */
  readonly shrunkLines: (core: MutatedCore, law: string, seed: number) => Promise<number>;
}

const bundles: Readonly<Record<Bundle, Examination>> = {
  passes: {
    trials: (core, seed) => {
      const controller = controllerOf(core);
      return new Trial(clustersOf(seed), async (cluster) => {
        const { breaches } = await breachesOf(controller, cluster);
        return new Set(breaches.map(lawOfBreach));
      });
    },
    shrunkLines: async (core, law, seed) => {
      const property = reconcileLaws.get(law as ReconcileLawName)?.(controllerOf(core));
      if (property === undefined) throw new Error(`there is no law ${law}`);
      const { counterexample } = await fc.check(property, { seed, numRuns: RUNS });
      if (counterexample === null) throw new Error(`the law ${law} itself catches nothing`);
      return fc.stringify(counterexample[0]).trim().split("\n").length;
    },
  },
};

function controllerOf(core: MutatedCore | undefined): Controller {
  if (core === undefined) return controllerOfPlans(reconcile);
  return controllerOfPlans((snapshot, jobSet, context) => {
    // What a snapshot reads of its objects is core's, too.
    const objects = KINDS.flatMap((kind) => snapshot.objects(kind));
    return core.reconcile(core.snapshotOf(objects, { kinds: "all" }), jobSet, context);
  });
}

const KINDS = ["JobSet", "Job", "Pod", "Service", "PersistentVolumeClaim", "Node"];

const drawn = new Map<number, readonly Cluster[]>();

/** The clusters that a law draws with this seed. */
function clustersOf(seed: number): readonly Cluster[] {
  const known = drawn.get(seed) ?? fc.sample(clusters(), { numRuns: RUNS, seed });
  drawn.set(seed, known);
  return known;
}
