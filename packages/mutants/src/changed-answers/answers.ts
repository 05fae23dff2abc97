import type { AnswerMutant } from "./answer-mutants.ts";
import { FREE } from "./free.ts";

/** How often a property runs by default. */
export const RUNS = 100;

/** Correct controllers or webhooks, whose answers can be changed, and the laws that must catch the changes. */
export interface Subject {
  readonly laws: readonly string[];
  readonly mutantsOf: (result: unknown) => readonly AnswerMutant[];
  /** Checks one or all laws of a subject while the answers are changed. */
  readonly check: (
    law: string,
    change: AnswerMutant["mutate"],
    numRuns: number,
  ) => Promise<CheckResult>;
}

export interface CheckResult {
  /** The law that the changed answers violate. */
  readonly broken?: string | undefined;
  /** Whether a changed answer stored or reported something else. */
  readonly hasEffect: boolean;
}

/** The result of a mutant. No law has to catch it if it is free or has no effect. */
export interface ExaminedMutant {
  readonly change: string;
  readonly place: string;
  readonly outcome: "Caught" | "Missed" | "Free" | "WithoutEffect";
}

/** Checks the laws against one of several mutants of each position in the answers of a subject. */
export async function* examineAnswers(
  { laws, mutantsOf, check }: Subject,
  isMeant: (key: string) => boolean,
): AsyncGenerator<ExaminedMutant> {
  const found = new Map<string, { readonly mutant: AnswerMutant; readonly seenBy: Set<string> }>();
  for (const law of laws) {
    const collect = (result: unknown) => {
      for (const mutant of mutantsOf(result)) {
        const key = `${mutant.change} ${mutant.place}`;
        const known = found.get(key) ?? { mutant, seenBy: new Set() };
        found.set(key, known);
        known.seenBy.add(law);
      }
      return result;
    };
    await check(law, collect, RUNS);
  }
  for (const [key, { mutant, seenBy }] of [...found].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (!isMeant(key)) continue;
    const isFree = FREE.some((place) => place.test(key));
    let result: CheckResult = { hasEffect: false };
    for (const law of seenBy) {
      // A free position needs no long search.
      const { broken, hasEffect } = await check(law, mutant.mutate, isFree ? RUNS / 5 : RUNS);
      result = { broken, hasEffect: result.hasEffect || hasEffect };
      if (broken !== undefined) break;
    }
    const missed = result.hasEffect ? "Missed" : "WithoutEffect";
    const outcome = result.broken !== undefined ? "Caught" : isFree ? "Free" : missed;
    yield { change: mutant.change, place: mutant.place, outcome };
  }
}
