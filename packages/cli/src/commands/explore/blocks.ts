import {
  type ExplorationOptions,
  exploreInBatches,
  type FailingScenario,
  findFaultDependentOutcomes,
  type Scenario,
  type SimulationOptions,
  simulate,
  steadyStateLaws,
} from "@jobset-ts/sim";
import { type QuirksName, resolveQuirks } from "../cluster/quirks.ts";

/** What all threads of an exploration do. */
export interface Task {
  readonly exploration: ExplorationOptions;
  readonly quirks: QuirksName;
}

/** What came of a scenario, as it goes from thread to thread. */
export interface ScenarioReport {
  readonly played: number;
  readonly quiet: number;
  /** Those that no scenario of the block reached before. */
  readonly states: readonly string[];
  readonly found: readonly FailingScenario[];
}

/** Explores batches one after the other. */
export interface Explorer {
  /** Tells of each scenario as soon as it is played, and answers whether the block was played to its end. */
  explore(block: number, take: (report: ScenarioReport) => void): Promise<boolean>;
  /** Releases everything: current batches are not finished, and later ones not started. */
  stop(): void;
}

/** Explores where it is called. */
export function createBlockExplorer({
  exploration,
  quirks,
}: Task): (block: number, take: (report: ScenarioReport) => void) => void {
  let tell: (report: ScenarioReport) => void = () => {};
  const explore = exploreInBatches(exploration, {
    quirks: resolveQuirks(quirks),
    onPlayed: (_, { played, quiet, states, found }) =>
      tell({ played, quiet, states: [...states], found }),
  });
  return (block, take) => {
    tell = take;
    explore(block);
  };
}

/** How a scenario is played in which a sentence is looked for: one about its end needs to know the end without faults. */
export function settingsToFind(
  law: string | undefined,
  scenario: Scenario,
  settings: SimulationOptions,
): SimulationOptions {
  if (law !== "endsAsWithoutFaults") return settings;
  const undisturbed = simulate({ ...scenario, faults: [] }, settings);
  return {
    ...settings,
    steadyStateLaws: [...steadyStateLaws, ...findFaultDependentOutcomes(scenario, undisturbed)],
  };
}
