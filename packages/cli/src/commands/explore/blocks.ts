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
import { type QuirksName, resolveQuirks } from "../../jobset-version/quirks.ts";

/** The work of all threads of an exploration. */
export interface Task {
  readonly exploration: ExplorationOptions;
  readonly quirks: QuirksName;
}

/** The result of a scenario, as threads send it. */
export interface ScenarioReport {
  readonly simulated: number;
  readonly idle: number;
  /** The states that no earlier scenario of the block reached. */
  readonly states: readonly string[];
  readonly failures: readonly FailingScenario[];
}

/** Explores one block after another. */
export interface Explorer {
  /** Reports each scenario as soon as it has run. Resolves to whether the whole block has run. */
  explore(block: number, take: (report: ScenarioReport) => void): Promise<boolean>;
  /** Releases all resources. Stops the current blocks and starts no others. */
  stop(): void;
}

/** Creates an explorer that runs on the current thread. */
export function createBlockExplorer({
  exploration,
  quirks,
}: Task): (block: number, take: (report: ScenarioReport) => void) => void {
  let onReport: (report: ScenarioReport) => void = () => {};
  const explore = exploreInBatches(exploration, {
    quirks: resolveQuirks(quirks),
    onSimulated: (_, { simulatedCount, idleCount: idle, reachedStates, failingScenarios }) =>
      onReport({
        simulated: simulatedCount,
        idle,
        states: [...reachedStates],
        failures: failingScenarios,
      }),
  });
  return (block, take) => {
    onReport = take;
    explore(block);
  };
}

/**
 * Returns the settings for a scenario in which a law is checked. A law about the final state requires the final state
 * without faults.
 */
export function createLawSettings(
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
