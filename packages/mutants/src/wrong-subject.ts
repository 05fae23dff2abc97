import { reconcile } from "@jobset-ts/core";
import { reconcilePlacement } from "@jobset-ts/core/placement";
import type { Laws, Webhooks } from "@jobset-ts/testing/admission";
import { createPlacementController, placementLaws } from "@jobset-ts/testing/placement";
import {
  type ControllerSubject,
  createPlanController,
  type ReconcileLawName,
  reconcileLaws,
} from "@jobset-ts/testing/reconcile";
import fc from "fast-check";
import { webhookBundles, webhooksUnder } from "./webhooks.ts";

/** How often a property runs by default. */
const RUNS = 100;

/** A controller or webhooks with one defect, and the law that catches it on every seed. */
export interface WrongSubject {
  /** Completes the sentence "a controller (or webhook) that …". */
  readonly what: string;
  readonly laws: keyof typeof bundles;
  readonly by: string;
  readonly subject: () => ControllerSubject | Webhooks;
}

/** Wrong controllers by the law that catches them and by what they do. */
export type WrongPasses = Readonly<
  Partial<Record<ReconcileLawName, Readonly<Record<string, () => ControllerSubject>>>>
>;

export function subjectsByLaw(
  laws: WrongSubject["laws"],
  subjects: Readonly<Record<string, Readonly<Record<string, WrongSubject["subject"]>>>>,
): readonly WrongSubject[] {
  return Object.entries(subjects).flatMap(([by, made]) =>
    Object.entries(made).map(([what, subject]) => ({ what, laws, by, subject })),
  );
}

const bundles = {
  passes: reconcileLaws,
  /** Repair of exclusive placement. */
  repairs: placementLaws,
  pods: webhookBundles.pods.laws,
  jobSets: webhookBundles.jobSets.laws,
  jobSetsUnderGates: webhookBundles.jobSetsUnderGates.laws,
};

const rights: Readonly<Record<WrongSubject["laws"], () => ControllerSubject | Webhooks>> = {
  passes: () => createPlanController(reconcile),
  repairs: () => createPlacementController(reconcilePlacement),
  pods: () => webhooksUnder(webhookBundles.pods.gates),
  jobSets: () => webhooksUnder(webhookBundles.jobSets.gates),
  jobSetsUnderGates: () => webhooksUnder(webhookBundles.jobSetsUnderGates.gates),
};

/** The law that has to catch a subject. */
export function lawOf({ laws, by }: Pick<WrongSubject, "laws" | "by">) {
  return (bundles[laws] as Laws<ControllerSubject | Webhooks>).get(by);
}

/** The number of runs that the law needs on each seed; undefined for a seed on which it catches nothing. */
export async function runsNeeded(
  wrong: WrongSubject,
  seeds: number,
): Promise<readonly (number | undefined)[]> {
  const law = lawOf(wrong);
  if (law === undefined) throw new Error(`${wrong.what}: there is no law ${wrong.by}`);
  const runs: (number | undefined)[] = [];
  for (let seed = 1; seed <= seeds; seed += 1) {
    const options = { seed, numRuns: RUNS, endOnFailure: true };
    const { failed, numRuns } = await fc.check(law(wrong.subject()), options);
    runs.push(failed ? numRuns : undefined);
  }
  return runs;
}

/** The laws that the libraries break; none should be. */
export async function brokenLaws(seeds: number): Promise<readonly string[]> {
  const broken: string[] = [];
  for (const laws of Object.keys(bundles) as WrongSubject["laws"][]) {
    for (const by of bundles[laws].keys()) {
      const runs = await runsNeeded({ what: laws, laws, by, subject: rights[laws] }, seeds);
      if (runs.some((one) => one !== undefined)) broken.push(`${laws}: ${by} after ${runs}`);
    }
  }
  return broken;
}
