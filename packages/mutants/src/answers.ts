import { type Cluster, clusters } from "@jobset-ts/testing/arbitraries";
import { breachesOf, lawOfBreach } from "@jobset-ts/testing/reconcile";
import fc from "fast-check";
import { FREE } from "./free.ts";
import { mutatedController } from "./mutated-controller.ts";
import { mutantsOf, placesIn, type RequestMutant } from "./request-mutants.ts";

/** How often a property runs when nobody says otherwise. */
const RUNS = 100;

/** What has become of a mutant. */
export type Examined = RequestMutant & Outcome;

type Outcome =
  | { readonly outcome: "Caught"; readonly law: string; readonly runs: number }
  /** In no case was anything stored or told that would not have been. */
  | { readonly outcome: "WithoutEffect" }
  | { readonly outcome: "Free"; readonly why: string }
  | { readonly outcome: "Missed" };

/** Every place of what our own controller asks for over many clusters. */
export async function placesOf(seed: number): Promise<readonly string[]> {
  const places = new Set<string>();
  for (const cluster of fc.sample(clusters(), { numRuns: 4 * RUNS, seed })) {
    const { controller } = mutatedController((requests) => {
      for (const place of placesIn(requests)) places.add(place);
      return requests;
    });
    await breachesOf(controller, cluster);
  }
  return [...places].sort();
}

/** Holds the laws against each mutant of some places. */
export async function* examineAnswers(
  places: readonly string[],
  seed: number,
): AsyncGenerator<Examined> {
  const cases = fc.sample(clusters(), { numRuns: RUNS, seed });
  for (const mutant of places.flatMap(mutantsOf))
    yield { ...mutant, ...(await outcomeOf(mutant, cases)) };
}

async function outcomeOf(
  { change, place, mutate }: RequestMutant,
  cases: readonly Cluster[],
): Promise<Outcome> {
  const { controller, hasEffect } = mutatedController(mutate);
  for (const [index, cluster] of cases.entries()) {
    const { breaches } = await breachesOf(controller, cluster);
    const [breach] = breaches;
    if (breach !== undefined) {
      return { outcome: "Caught", law: lawOfBreach(breach), runs: index + 1 };
    }
  }
  const free = FREE.find((one) => one.place.test(`${change} ${place}`));
  if (free !== undefined) return { outcome: "Free", why: `${free.what}: ${free.why}` };
  return { outcome: hasEffect() ? "Missed" : "WithoutEffect" };
}
