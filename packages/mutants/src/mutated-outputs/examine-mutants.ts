import type { OutputMutant } from "./output-mutants.ts";
import { unspecifiedOutputs } from "./unspecified-outputs.ts";

/** How often a property runs by default. */
export const RUNS = 100;

/** A correct controller or correct webhooks, whose outputs can be mutated, and the laws that must kill the mutants. */
export interface Subject {
  readonly laws: readonly string[];
  readonly listMutants: (output: unknown) => readonly OutputMutant[];
  /** Checks a law while all outputs pass through a function. */
  readonly check: (
    law: string,
    mutate: OutputMutant["mutate"],
    numRuns: number,
  ) => Promise<CheckResult>;
}

export interface CheckResult {
  readonly isViolated: boolean;
  /** Whether any mutated output stored or reported something different. */
  readonly hasEffect: boolean;
}

/** A mutant and its result. Without an effect, it is equivalent. */
export interface ExaminedMutant {
  readonly key: string;
  readonly result: "Killed" | "Survived" | "Unspecified" | "Equivalent";
}

/** Checks the laws against the chosen mutants of a subject's outputs. The key of a mutant is its operator and path. */
export async function* examineMutants(
  { laws, listMutants, check }: Subject,
  isChosen: (key: string) => boolean,
): AsyncGenerator<ExaminedMutant> {
  const mutants = new Map<string, OutputMutant["mutate"]>();
  /** The laws in which a subject returns an output that the mutant changes. */
  const lawsByMutant = new Map<string, Set<string>>();
  for (const law of laws) {
    const collect = (output: unknown) => {
      for (const { operator, path, mutate } of listMutants(output)) {
        const key = `${operator} ${path}`;
        if (!mutants.has(key)) mutants.set(key, mutate);
        lawsByMutant.set(key, (lawsByMutant.get(key) ?? new Set()).add(law));
      }
      return output;
    };
    await check(law, collect, RUNS);
  }
  for (const [key, mutate] of [...mutants].sort(([one], [other]) => (one < other ? -1 : 1))) {
    if (!isChosen(key)) continue;
    const isUnspecified = unspecifiedOutputs.some((pattern) => pattern.test(key));
    let result: ExaminedMutant["result"] = isUnspecified ? "Unspecified" : "Equivalent";
    for (const law of lawsByMutant.get(key) ?? []) {
      // No law has to kill an unspecified mutant, so a short search is enough.
      const { isViolated, hasEffect } = await check(law, mutate, isUnspecified ? RUNS / 5 : RUNS);
      if (isViolated) result = "Killed";
      else if (hasEffect && !isUnspecified) result = "Survived";
      if (isViolated) break;
    }
    yield { key, result };
  }
}
