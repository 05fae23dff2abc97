import type { SteadyStateLaw } from "../laws/law.ts";
import type { Checkpoint } from "../scenario/checkpoint.ts";
import type { Fault } from "../scenario/fault.ts";
import { playFrom, playWithCheckpoints, simulate } from "../scenario/play.ts";
import type { SimulationOptions } from "../scenario/play-settings.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { findFaultDependentOutcomes } from "./ends-as-without-faults.ts";
import { type ExplorationResult, type ExploreSettings, exploreBy } from "./explore.ts";
import { randomScenario } from "./random-scenario.ts";
import { singleFaults } from "./single-faults.ts";
import { varyScenario } from "./vary-scenario.ts";

/** Which scenarios to explore. */
export interface ExplorationOptions {
  readonly seed: number;
  /** What is varied; left open, there are random JobSets. */
  readonly scenario?: Scenario;
  /** The faults that there may be; left open, all. */
  readonly faults?: readonly Fault["fault"][];
}

/**
 * How many scenarios make a block: what one thread does at a time, and what its guidance reaches.
 *
 * @example BATCH_SIZE // => 50
 */
export const BATCH_SIZE = 50;

/** Nearly all random scenarios become idle within 2,000 turns. */
const MAX_RANDOM_TURNS = 5_000;

/** A varied scenario may take so many times as many turns as the scenario without faults, beside those of a random one. */
const MOST_TIMES_AS_MANY = 20;

/**
 * Explores block by block. Which scenarios a block has depends on nothing but its number, so blocks can be shared out among
 * threads and machines, and left out when they were done before.
 *
 * Of one scenario every single fault comes first, and the JobSets have to end as without it. What precedes the faults is played
 * once for all of them. After that, every second scenario varies an earlier scenario of the block that reached a new state. A
 * random scenario ends after 5,000 turns at the latest. A varied scenario may take, in addition, 20 times as many turns as the
 * scenario takes without faults.
 *
 * @example exploreInBatches({ seed: 1 }, { maxTurns: 20 })(0).found // => []
 */
export function exploreInBatches(
  exploration: ExplorationOptions,
  settings: Omit<ExploreSettings, "maxFound" | "findSteadyStateLaws"> = {},
): (block: number) => ExplorationResult {
  const { seed, faults, scenario } = exploration;
  let maxTurns = MAX_RANDOM_TURNS;
  const allowed = (one: Scenario): Scenario =>
    faults === undefined
      ? one
      : { ...one, faults: one.faults.filter(({ fault }) => faults.includes(fault)) };
  const newOne = (number: number) => {
    const own = getSeed(seed, number);
    return allowed(scenario === undefined ? randomScenario(own) : varyScenario(scenario, own));
  };
  let singles: readonly Scenario[] | undefined;
  let ofSingles: readonly SteadyStateLaw[] = [];
  let checkpoints: readonly Checkpoint[] = [];
  return (block) => {
    if (scenario !== undefined && singles === undefined) {
      const undisturbed = playWithCheckpoints({ ...scenario, faults: [] }, settings);
      // Another controller may keep state from one run to the next.
      if (settings.controller === undefined) ({ checkpoints } = undisturbed);
      const each = [...singleFaults(scenario, undisturbed)];
      maxTurns += MOST_TIMES_AS_MANY * undisturbed.turns;
      singles = each.filter((one) => allowed(one).faults.length > 0);
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
        else if (earlier === undefined) yield newOne(number);
        else yield allowed(varyScenario(earlier, getSeed(seed, number)));
      }
    }
    const onPlayed = (one: Scenario, came: ExplorationResult) => {
      if (came.states.size > 0) ahead.push(one);
      settings.onPlayed?.(one, came);
    };
    const findSteadyStateLaws = (one: Scenario) => (singlesOfBlock.has(one) ? ofSingles : []);
    const playOne = (one: Scenario, ofOne: SimulationOptions) =>
      singlesOfBlock.has(one) ? playFrom(checkpoints, one, ofOne) : simulate(one, ofOne);
    return exploreBy(playOne, scenarios(), {
      maxTurns,
      ...settings,
      maxFound: BATCH_SIZE,
      onPlayed,
      findSteadyStateLaws,
    });
  };
}

/** Seeds of different explorations do not overlap before each has had a million. */
function getSeed(seed: number, number: number): number {
  return seed * 1_000_000 + number;
}
