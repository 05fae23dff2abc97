import { RUNS } from "../law-sets.ts";
import type { Mutate } from "./output-mutants.ts";
import { unspecifiedOutputs } from "./unspecified-outputs.ts";

/** A correct controller or correct webhooks, whose outputs can be mutated, and the laws that must kill the mutants. */
export interface Subject {
  readonly laws: readonly string[];
  /** Returns the mutants of an output by their keys. */
  readonly listMutants: (output: unknown) => ReadonlyMap<string, Mutate>;
  /** Checks a law while all outputs pass through a function. Returns whether it is violated. */
  readonly isViolated: (law: string, mutate: Mutate, numRuns: number) => Promise<boolean>;
}

type MutantResult = "Killed" | "Survived" | "Unspecified";

/** Checks the laws against the chosen mutants of a subject's outputs. */
export async function* examineMutants(
  { laws, listMutants, isViolated }: Subject,
  isChosen: (key: string) => boolean,
): AsyncGenerator<{ readonly key: string; readonly result: MutantResult }> {
  const mutants = new Map<string, Mutate>();
  /** The laws in which a subject returns an output that the mutant changes. */
  const lawsByMutant = new Map<string, Set<string>>();
  for (const law of laws) {
    const collect = (output: unknown) => {
      for (const [key, mutate] of listMutants(output)) {
        if (!mutants.has(key)) mutants.set(key, mutate);
        lawsByMutant.set(key, (lawsByMutant.get(key) ?? new Set()).add(law));
      }
      return output;
    };
    await isViolated(law, collect, RUNS);
  }
  for (const [key, mutate] of [...mutants].sort(([one], [other]) => (one < other ? -1 : 1))) {
    if (!isChosen(key)) continue;
    const isUnspecified = unspecifiedOutputs.some((pattern) => pattern.test(key));
    // No law has to kill an unspecified mutant, so a short search is enough.
    const numRuns = isUnspecified ? RUNS / 5 : RUNS;
    let result: MutantResult = isUnspecified ? "Unspecified" : "Survived";
    for (const law of lawsByMutant.get(key) ?? []) {
      if (!(await isViolated(law, mutate, numRuns))) continue;
      result = "Killed";
      break;
    }
    yield { key, result };
  }
}
