import { reconcile } from "@jobset-ts/core";
import { reconcilePlacement } from "@jobset-ts/core/placement";
import {
  clusters,
  type GeneratedCluster,
  type Placement,
  placements,
} from "@jobset-ts/testing/arbitraries";
import {
  createPlacementController,
  findPlacementViolations,
  placementLawForViolation,
} from "@jobset-ts/testing/placement";
import {
  type ControllerSubject,
  createPlanController,
  findViolations,
  lawForViolation,
  type RequestViolation,
} from "@jobset-ts/testing/reconcile";
import fc from "fast-check";
import { FREE } from "./free.ts";
import { mutatedController } from "./mutated-controller.ts";
import { mutantsOf, placesIn, type RequestMutant } from "./request-mutants.ts";

/** How often a property runs when nobody says otherwise. */
const RUNS = 100;

/** A bundle of laws, and a controller that keeps them. */
export interface Subject<Case> {
  readonly cases: fc.Arbitrary<Case>;
  readonly right: ControllerSubject;
  readonly violationsOf: (
    controller: ControllerSubject,
    drawn: Case,
  ) => Promise<{ readonly violations: readonly RequestViolation[] }>;
  readonly lawOf: (violation: RequestViolation) => string;
}

export const passes: Subject<GeneratedCluster> = {
  cases: clusters(),
  right: createPlanController(reconcile),
  violationsOf: findViolations,
  lawOf: lawForViolation,
};

export const repairs: Subject<Placement> = {
  cases: placements(),
  right: createPlacementController(reconcilePlacement),
  violationsOf: findPlacementViolations,
  lawOf: placementLawForViolation,
};

/** What has become of a mutant. */
export type Examined = Pick<RequestMutant, "change" | "place"> & Outcome;

type Outcome =
  | { readonly outcome: "Caught"; readonly law: string; readonly runs: number }
  /** In no case was anything stored or told that would not have been. */
  | { readonly outcome: "WithoutEffect" }
  | { readonly outcome: "Free"; readonly why: string }
  | { readonly outcome: "Missed" };

/** Every place of what a right controller asks for over many cases. */
export async function placesOf<Case>(
  subject: Subject<Case>,
  seed: number,
): Promise<readonly string[]> {
  const places = new Set<string>();
  for (const drawn of fc.sample(subject.cases, { numRuns: 4 * RUNS, seed })) {
    const { controller } = mutatedController(subject.right, (requests) => {
      for (const place of placesIn(requests)) places.add(place);
      return requests;
    });
    await subject.violationsOf(controller, drawn);
  }
  return [...places].sort();
}

/** Holds the laws against each mutant of some places. */
export async function* examineAnswers<Case>(
  subject: Subject<Case>,
  places: readonly string[],
  seed: number,
): AsyncGenerator<Examined> {
  const cases = fc.sample(subject.cases, { numRuns: RUNS, seed });
  for (const mutant of places.flatMap(mutantsOf)) {
    const { change, place } = mutant;
    yield { change, place, ...(await outcomeOf(subject, mutant, cases)) };
  }
}

/** Why a change is nobody's affair; `undefined` when a law has to see it. */
export function whyFree({ change, place }: Pick<Examined, "change" | "place">) {
  const free = FREE.find((one) => one.place.test(`${change} ${place}`));
  return free && `${free.what}: ${free.why}`;
}

async function outcomeOf<Case>(
  subject: Subject<Case>,
  { change, place, mutate }: RequestMutant,
  cases: readonly Case[],
): Promise<Outcome> {
  const { controller, hasEffect } = mutatedController(subject.right, mutate);
  for (const [index, drawn] of cases.entries()) {
    const { violations } = await subject.violationsOf(controller, drawn);
    const [violation] = violations;
    if (violation !== undefined) {
      return { outcome: "Caught", law: subject.lawOf(violation), runs: index + 1 };
    }
  }
  const why = whyFree({ change, place });
  if (why !== undefined) return { outcome: "Free", why };
  return { outcome: hasEffect() ? "Missed" : "WithoutEffect" };
}
