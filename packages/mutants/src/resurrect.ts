import { reconcile } from "@jobset-ts/core";
import { type Controller, controllerOfPlans, reconcileLaws } from "@jobset-ts/testing/reconcile";
import fc from "fast-check";
import type { Bundle, Defect, Mutant } from "./defects.ts";
import { type MutatedCore, mutatedCore } from "./mutated-core.ts";

/** How often a property runs when nobody says otherwise. */
const RUNS = 100;

/** How long a counterexample is made smaller. */
const LONGEST_SHRINK_MS = 60_000;

/** What has become of a defect that was brought back. */
export interface Resurrected {
  readonly defect: Defect & Mutant;
  /** How many cases its law needed, by seed; `undefined` where that caught nothing. */
  readonly runs: readonly (number | undefined)[];
  /** How many lines the counterexample has, shrunk; absent when the defect survives the first seed. */
  readonly lines?: number;
  /** Of one that survives some seed: what else catches it, with the runs, on the first seed. */
  readonly others: readonly string[];
}

/** Brings a defect back and holds its law against it, once for each seed. */
export async function resurrect(
  root: string,
  defect: Defect & Mutant,
  { seeds, shrinks }: { readonly seeds: number; readonly shrinks: boolean },
): Promise<Resurrected> {
  const core = await mutatedCore(root, defect.row, defect.changes);
  const properties = propertiesOf[defect.laws](core);
  const law = properties.get(defect.by);
  if (law === undefined) throw new Error(`${defect.row}: there is no law ${defect.by}`);
  const runs: (number | undefined)[] = [];
  for (let seed = 1; seed <= seeds; seed += 1) runs.push(await runsNeeded(law, seed));
  const lines = shrinks && runs[0] !== undefined ? await shrunkLines(law, 1) : undefined;
  const others: string[] = [];
  if (shrinks && runs.includes(undefined)) {
    for (const [name, property] of properties) {
      const needed = await runsNeeded(property, 1);
      if (needed !== undefined) others.push(`${name} after ${needed}`);
    }
  }
  return { defect, runs, others, ...(lines !== undefined && { lines }) };
}

/** Laws that core as it is breaks, and on which seed: there are to be none. */
export async function brokenWithoutDefect(seeds: number): Promise<readonly string[]> {
  const broken: string[] = [];
  for (const propertiesOfCore of Object.values(propertiesOf)) {
    for (const [name, property] of propertiesOfCore(undefined)) {
      for (let seed = 1; seed <= seeds; seed += 1) {
        const needed = await runsNeeded(property, seed);
        if (needed !== undefined) broken.push(`${name} (seed ${seed}, run ${needed})`);
      }
    }
  }
  return broken;
}

type Property = fc.IAsyncProperty<[object]>;

/** The laws of each bundle, held against a mutated copy of core, or against the one that they use themselves. */
const propertiesOf: Readonly<
  Record<Bundle, (core: MutatedCore | undefined) => ReadonlyMap<string, Property>>
> = {
  passes: (core) => {
    const controller = controllerOf(core);
    return new Map([...reconcileLaws].map(([name, law]) => [name, law(controller) as Property]));
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

async function runsNeeded(property: Property, seed: number): Promise<number | undefined> {
  const { failed, numRuns } = await fc.check(property, { seed, numRuns: RUNS, endOnFailure: true });
  return failed ? numRuns : undefined;
}

async function shrunkLines(property: Property, seed: number): Promise<number> {
  const { counterexample } = await fc.check(property, {
    seed,
    numRuns: RUNS,
    // What is left then is small enough.
    interruptAfterTimeLimit: LONGEST_SHRINK_MS,
    markInterruptAsFailure: true,
  });
  return fc.stringify(counterexample?.[0]).trim().split("\n").length;
}
