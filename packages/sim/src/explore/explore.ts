import type { LawViolation, SteadyStateLaw } from "../laws/law.ts";
import { steadyStateLaws } from "../laws/steady-state-laws.ts";
import { type SimulationResult, simulate } from "../scenario/play.ts";
import type { SimulationOptions } from "../scenario/play-settings.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { listReachedStates } from "./reached-states.ts";

/** A scenario that violates a law. */
export interface FailingScenario {
  readonly scenario: Scenario;
  readonly violation: LawViolation;
}

/** The result of an exploration. */
export interface ExplorationResult {
  /** The number of scenarios played. */
  readonly played: number;
  /** The different kinds of states that were reached. */
  readonly states: ReadonlySet<string>;
  /** The number of runs that became idle. */
  readonly quiet: number;
  /** The number of runs in which the API server rejected an initial object. */
  readonly refused: number;
  readonly found: readonly FailingScenario[];
}

/** The settings of an exploration. */
export interface ExploreSettings extends SimulationOptions {
  /** The exploration stops after this number of violations. */
  readonly maxFound?: number;
  /** Returns further laws for the idle state of a scenario. */
  readonly findSteadyStateLaws?: (scenario: Scenario) => readonly SteadyStateLaw[];
  /** Called with the result of each scenario. Its states are those that no earlier scenario reached. */
  readonly onPlayed?: (scenario: Scenario, came: ExplorationResult) => void;
}

/**
 * Plays the scenarios one after the other.
 *
 * @example explore([randomScenario(1), randomScenario(2)]).played // => 2
 */
export function explore(
  scenarios: Iterable<Scenario>,
  settings: ExploreSettings = {},
): ExplorationResult {
  return exploreBy(simulate, scenarios, settings);
}

/** Explores scenarios as {@link explore} does. `playOne` plays each. */
export function exploreBy(
  playOne: (scenario: Scenario, settings: SimulationOptions) => SimulationResult,
  scenarios: Iterable<Scenario>,
  settings: ExploreSettings,
): ExplorationResult {
  const { maxFound = 1, onPlayed, onTurn, findSteadyStateLaws } = settings;
  const always = settings.steadyStateLaws ?? steadyStateLaws;
  const states = new Set<string>();
  const found: FailingScenario[] = [];
  let [played, quiet, refused] = [0, 0, 0];
  for (const scenario of scenarios) {
    const news = new Set<string>();
    const run = playOne(scenario, {
      ...settings,
      steadyStateLaws: [...always, ...(findSteadyStateLaws?.(scenario) ?? [])],
      onTurn: (turn) => {
        onTurn?.(turn);
        for (const state of listReachedStates(turn)) if (!states.has(state)) news.add(state);
      },
    });
    const [violation] = run.violations;
    const came: ExplorationResult = {
      played: 1,
      states: news,
      quiet: run.isIdle ? 1 : 0,
      refused: run.refused.length > 0 ? 1 : 0,
      found: violation === undefined ? [] : [{ scenario, violation }],
    };
    played += came.played;
    quiet += came.quiet;
    refused += came.refused;
    for (const state of news) states.add(state);
    found.push(...came.found);
    onPlayed?.(scenario, came);
    if (found.length >= maxFound) break;
  }
  return { played, states, quiet, refused, found };
}
