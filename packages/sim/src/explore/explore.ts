import type { LawViolation, SteadyStateLaw } from "../laws/law.ts";
import { steadyStateLaws } from "../laws/steady-state-laws.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { type SimulationResult, simulate } from "../scenario/simulate.ts";
import type { SimulationOptions } from "../scenario/simulation-options.ts";
import { listReachedStates } from "./reached-states.ts";

/** A scenario that violates a law. */
export interface FailingScenario {
  readonly scenario: Scenario;
  readonly violation: LawViolation;
}

/** The result of an exploration. */
export interface ExplorationResult {
  /** The number of simulated scenarios. */
  readonly simulatedCount: number;
  /** The different kinds of states that were reached. */
  readonly reachedStates: ReadonlySet<string>;
  /** The number of runs that became idle. */
  readonly idleCount: number;
  /** The number of runs in which the API server rejected an initial object. */
  readonly rejectedCount: number;
  readonly failingScenarios: readonly FailingScenario[];
}

/** The settings of an exploration. */
export interface ExploreSettings extends SimulationOptions {
  /** The exploration stops after this number of violations. */
  readonly maxFailingScenarios?: number;
  /** Returns additional laws for the idle state of a scenario. */
  readonly findSteadyStateLaws?: (scenario: Scenario) => readonly SteadyStateLaw[];
  /** Called with the result of each scenario. Its states are those that no earlier scenario reached. */
  readonly onSimulated?: (scenario: Scenario, result: ExplorationResult) => void;
}

/**
 * Plays the scenarios one after the other.
 *
 * @example explore([randomScenario(1), randomScenario(2)]).simulatedCount // => 2
 */
export function explore(
  scenarios: Iterable<Scenario>,
  settings: ExploreSettings = {},
): ExplorationResult {
  return exploreBy(simulate, scenarios, settings);
}

/** Explores scenarios as {@link explore} does. `simulateOne` runs each of them. */
export function exploreBy(
  simulateOne: (scenario: Scenario, settings: SimulationOptions) => SimulationResult,
  scenarios: Iterable<Scenario>,
  settings: ExploreSettings,
): ExplorationResult {
  const { maxFailingScenarios = 1, onSimulated, onTurn, findSteadyStateLaws } = settings;
  const always = settings.steadyStateLaws ?? steadyStateLaws;
  const reachedStates = new Set<string>();
  const failingScenarios: FailingScenario[] = [];
  let [simulatedCount, idleCount, rejectedCount] = [0, 0, 0];
  for (const scenario of scenarios) {
    const newStates = new Set<string>();
    const run = simulateOne(scenario, {
      ...settings,
      steadyStateLaws: [...always, ...(findSteadyStateLaws?.(scenario) ?? [])],
      onTurn: (turn) => {
        onTurn?.(turn);
        for (const state of listReachedStates(turn))
          if (!reachedStates.has(state)) newStates.add(state);
      },
    });
    const [violation] = run.violations;
    const result: ExplorationResult = {
      simulatedCount: 1,
      reachedStates: newStates,
      idleCount: run.isIdle ? 1 : 0,
      rejectedCount: run.rejectedRequests.length > 0 ? 1 : 0,
      failingScenarios: violation === undefined ? [] : [{ scenario, violation }],
    };
    simulatedCount += result.simulatedCount;
    idleCount += result.idleCount;
    rejectedCount += result.rejectedCount;
    for (const state of newStates) reachedStates.add(state);
    failingScenarios.push(...result.failingScenarios);
    onSimulated?.(scenario, result);
    if (failingScenarios.length >= maxFailingScenarios) break;
  }
  return { simulatedCount, reachedStates, idleCount, rejectedCount, failingScenarios };
}
