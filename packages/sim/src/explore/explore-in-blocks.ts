import type { SteadyStateLaw } from "../laws/law.ts";
import type { Checkpoint } from "../scenario/checkpoint.ts";
import type { Fault } from "../scenario/fault.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { simulate, simulateFrom, simulateWithCheckpoints } from "../scenario/simulate.ts";
import type { SimulationOptions } from "../scenario/simulation-options.ts";
import { type ExplorationResult, type ExploreSettings, exploreBy } from "./explore.ts";
import { findFaultDependentOutcomes } from "./fault-dependent-outcomes.ts";
import { randomScenario } from "./random-scenario.ts";
import { singleFaults } from "./single-faults.ts";
import { varyScenario } from "./vary-scenario.ts";

/** The scenarios to explore. */
export interface ExplorationOptions {
  readonly seed: number;
  /** The scenario to vary. Default: random JobSets. */
  readonly scenario?: Scenario;
  /** The faults to use. Default: all. */
  readonly faults?: readonly Fault["fault"][];
}

/**
 * The number of scenarios in a batch: the unit of work of a thread, and the scope of guidance.
 *
 * @example BATCH_SIZE // => 50
 */
export const BATCH_SIZE = 50;

/** Nearly all random scenarios become idle within 2,000 turns. */
const MAX_RANDOM_TURNS = 5_000;

/**
 * The limit for the turns of a varied scenario: this multiple of the turns that the scenario takes without faults, plus
 * those of a random scenario.
 */
const MAX_TURNS_FACTOR = 20;

/**
 * Explores batch by batch. The scenarios of a batch depend only on its number. So threads and machines can share the
 * batches, and skip those that were already simulated.
 *
 * For the scenario in the settings, every single fault comes first, and the JobSets must finish as without it. The part
 * before the fault is simulated once for all faults. After that, every second scenario varies an earlier scenario of
 * the batch that reached a new state. A random scenario ends after 5,000 turns at the latest. A varied scenario may
 * take, in addition, 20 times as many turns as the scenario takes without faults.
 *
 * @example exploreInBatches({ seed: 1 }, { maxTurns: 20 })(0).failingScenarios // => []
 */
export function exploreInBatches(
  exploration: ExplorationOptions,
  settings: Omit<ExploreSettings, "maxFailingScenarios" | "findSteadyStateLaws"> = {},
): (block: number) => ExplorationResult {
  const { seed, faults, scenario } = exploration;
  let maxTurns = MAX_RANDOM_TURNS;
  const withAllowedFaults = (one: Scenario): Scenario =>
    faults === undefined
      ? one
      : { ...one, faults: one.faults.filter(({ fault }) => faults.includes(fault)) };
  const createNext = (number: number) => {
    const own = getSeed(seed, number);
    return withAllowedFaults(
      scenario === undefined ? randomScenario(own) : varyScenario(scenario, own),
    );
  };
  let singles: readonly Scenario[] | undefined;
  let ofSingles: readonly SteadyStateLaw[] = [];
  let checkpoints: readonly Checkpoint[] = [];
  return (block) => {
    if (scenario !== undefined && singles === undefined) {
      const undisturbed = simulateWithCheckpoints({ ...scenario, faults: [] }, settings);
      // Another controller may keep state from one run to the next.
      if (settings.controller === undefined) ({ checkpoints } = undisturbed);
      const each = [...singleFaults(scenario, undisturbed)];
      maxTurns += MAX_TURNS_FACTOR * undisturbed.turns;
      singles = each.filter((one) => withAllowedFaults(one).faults.length > 0);
      ofSingles = findFaultDependentOutcomes(scenario, undisturbed);
    }
    const [first, end] = [block * BATCH_SIZE, (block + 1) * BATCH_SIZE];
    const singlesOfBlock = new Set(singles?.slice(first, end));
    const ahead: Scenario[] = [];
    function* scenarios() {
      for (let number = first; number < end; number++) {
        const single = singles?.[number];
        const earlier = number % 2 === 1 ? ahead.shift() : undefined;
        if (single !== undefined) yield single;
        else if (earlier === undefined) yield createNext(number);
        else yield withAllowedFaults(varyScenario(earlier, getSeed(seed, number)));
      }
    }
    const onScenarioResult = (one: Scenario, result: ExplorationResult) => {
      if (result.reachedStates.size > 0) ahead.push(one);
      settings.onSimulated?.(one, result);
    };
    const findSteadyStateLaws = (one: Scenario) => (singlesOfBlock.has(one) ? ofSingles : []);
    const simulateOne = (one: Scenario, ofOne: SimulationOptions) =>
      singlesOfBlock.has(one) ? simulateFrom(checkpoints, one, ofOne) : simulate(one, ofOne);
    return exploreBy(simulateOne, scenarios(), {
      maxTurns,
      ...settings,
      maxFailingScenarios: BATCH_SIZE,
      onSimulated: onScenarioResult,
      findSteadyStateLaws,
    });
  };
}

/** The seeds of two explorations overlap only after a million scenarios each. */
function getSeed(seed: number, number: number): number {
  return seed * 1_000_000 + number;
}
