import { INSTALLED } from "./readme-installation.ts";
import { byHand, type Round, rounds } from "./rounds.ts";
import type { Scenario } from "./scenario.ts";
import { byHandScenarios } from "./scenarios/by-hand/index.ts";
import { scenarios } from "./scenarios/index.ts";

/** Stories that share a control plane, and their rounds. */
export interface Suite {
  /** Whether Jobs run on the control plane. Otherwise the stories write the statuses of Jobs. */
  readonly runsJobs: boolean;
  readonly rounds: readonly Round[];
  readonly scenarios: readonly Scenario[];
}

const suites: readonly Suite[] = [
  { runsJobs: true, rounds, scenarios },
  { runsJobs: false, rounds: [byHand], scenarios: byHandScenarios },
];

/**
 * Selects rounds and stories by parts of their names. Without arguments, it selects all of them.
 *
 * @throws TypeError if an argument matches nothing, or if none of these stories runs in these rounds
 */
export function selectSuites(words: readonly string[]): readonly Suite[] {
  const isMeant = ({ name }: Named) => words.some((word) => name.includes(word));
  const named = suites.flatMap(({ rounds, scenarios }): Named[] => [...rounds, ...scenarios]);
  for (const word of words) {
    if (named.some(({ name }) => name.includes(word))) continue;
    const names = [...named.map(({ name }) => name), INSTALLED].join("\n  ");
    throw new TypeError(`"${word}" matches no round and no story:\n  ${names}`);
  }
  const selectsFrom = (list: "rounds" | "scenarios") =>
    suites.some((suite) => suite[list].some(isMeant));
  const [narrowsRounds, narrowsScenarios] = [selectsFrom("rounds"), selectsFrom("scenarios")];
  const chosen = suites
    .map((suite) => ({
      ...suite,
      rounds: narrowsRounds ? suite.rounds.filter(isMeant) : suite.rounds,
      scenarios: narrowsScenarios ? suite.scenarios.filter(isMeant) : suite.scenarios,
    }))
    .filter(({ rounds, scenarios }) => rounds.length > 0 && scenarios.length > 0);
  if (chosen.length === 0) throw new TypeError("none of these stories runs in these rounds");
  return chosen;
}

interface Named {
  readonly name: string;
}
