import { review } from "@jobset-ts/admission";
import { reconcile, snapshotOf } from "@jobset-ts/core";
import { reconcilePlacement } from "@jobset-ts/core/placement";
import type { Laws } from "@jobset-ts/testing/admission";
import { controllerOfPlacementPlans, placementLaws } from "@jobset-ts/testing/placement";
import { controllerOfPlans, reconcileLaws } from "@jobset-ts/testing/reconcile";
import fc from "fast-check";
import type { Bundle, Defect, Mutant } from "./defect.ts";
import { type Copies, mutatedCopy } from "./mutated-copy.ts";
import { type WebhookBundle, webhookBundles, webhooksUnder } from "./webhooks.ts";

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
  const copyOf: CopyOf = (library) => mutatedCopy(root, library, defect.row, defect.changes);
  const properties = await bundles[defect.laws](copyOf);
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

/** Laws that the libraries as they are break, and on which seed: there are to be none. */
export async function brokenWithoutDefect(seeds: number): Promise<readonly string[]> {
  const broken: string[] = [];
  for (const [bundle, propertiesOf] of Object.entries(bundles)) {
    for (const [name, property] of await propertiesOf(async (library) => originals[library])) {
      for (let seed = 1; seed <= seeds; seed += 1) {
        const needed = await runsNeeded(property, seed);
        if (needed !== undefined) broken.push(`${bundle}: ${name} (seed ${seed}, run ${needed})`);
      }
    }
  }
  return broken;
}

/** The libraries that the laws use themselves. */
const originals: Copies = {
  core: { reconcile, snapshotOf, reconcilePlacement },
  admission: { review, snapshotOf },
};

type CopyOf = <Library extends keyof Copies>(library: Library) => Promise<Copies[Library]>;
type Property = fc.IAsyncProperty<[object]>;

/** The laws of each bundle, held against a copy of what they are about. */
const bundles: Readonly<
  Record<Bundle, (copyOf: CopyOf) => Promise<ReadonlyMap<string, Property>>>
> = {
  passes: async (copyOf) => {
    const core = await copyOf("core");
    const controller = controllerOfPlans((snapshot, jobSet, context) =>
      core.reconcile(core.snapshotOf(...contentsOf(snapshot)), jobSet, context),
    );
    return heldAgainst(reconcileLaws, controller);
  },
  repairs: async (copyOf) => {
    const core = await copyOf("core");
    const controller = controllerOfPlacementPlans((snapshot, leader, context) =>
      core.reconcilePlacement(core.snapshotOf(...contentsOf(snapshot)), leader, context),
    );
    return heldAgainst(placementLaws, controller);
  },
  pods: (copyOf) => ofWebhooks(webhookBundles.pods, copyOf),
  jobSets: (copyOf) => ofWebhooks(webhookBundles.jobSets, copyOf),
  jobSetsUnderGates: (copyOf) => ofWebhooks(webhookBundles.jobSetsUnderGates, copyOf),
};

async function ofWebhooks({ laws, gates }: WebhookBundle, copyOf: CopyOf) {
  const { review: answer, snapshotOf: read } = await copyOf("admission");
  const webhooks = webhooksUnder(gates, (sent, snapshot, context, options) =>
    answer(sent, read(...contentsOf(snapshot)), context, options),
  );
  return heldAgainst(laws, webhooks);
}

function heldAgainst<Subject>(
  laws: Laws<Subject>,
  subject: Subject,
): ReadonlyMap<string, Property> {
  return new Map([...laws].map(([name, law]) => [name, law(subject) as Property]));
}

/** What a snapshot reads of its objects is to be the copy's, too. */
function contentsOf(snapshot: ReturnType<typeof snapshotOf>): Parameters<typeof snapshotOf> {
  return [KINDS.flatMap((kind) => snapshot.objects(kind)), { kinds: "all" }];
}

const KINDS = ["JobSet", "Job", "Pod", "Service", "PersistentVolumeClaim", "Node", "Event"];

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
