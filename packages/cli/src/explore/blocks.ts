import { NO_QUIRKS, UPSTREAM_QUIRKS } from "@jobset-ts/core";
import {
  type Exploration,
  endsAsWithoutFaults,
  exploreInBlocks,
  type Found,
  type PlaySettings,
  restOracles,
  type Scenario,
} from "@jobset-ts/sim";

/** What all threads of an exploration do. */
export interface Task {
  readonly exploration: Exploration;
  readonly quirks: "upstream" | "none";
}

/** What came of a block, as it goes from thread to thread. */
export interface BlockReport {
  readonly played: number;
  readonly quiet: number;
  readonly states: readonly string[];
  readonly found: readonly Found[];
}

/** Somebody who explores blocks, one after the other. */
export interface Explorer {
  /** Answers nothing for a block that was under way, or asked for, when it was stopped. */
  explore(block: number): Promise<BlockReport | undefined>;
  /** Lets go of everything. */
  stop(): void;
}

/** Explores where it is called. */
export function blockExplorer({ exploration, quirks }: Task): (block: number) => BlockReport {
  const explore = exploreInBlocks(exploration, { quirks: quirksOf(quirks) });
  return (block) => {
    const { states, played, quiet, found } = explore(block);
    return { played, quiet, states: [...states], found };
  };
}

export function quirksOf(name: Task["quirks"]) {
  return name === "upstream" ? UPSTREAM_QUIRKS : NO_QUIRKS;
}

/** How a scenario is played in which a sentence is looked for: one about its end needs to know the end without faults. */
export function settingsToFind(
  oracle: string | undefined,
  scenario: Scenario,
  settings: PlaySettings,
): PlaySettings {
  if (oracle !== "endsAsWithoutFaults") return settings;
  return { ...settings, restOracles: [...restOracles, ...endsAsWithoutFaults(scenario, settings)] };
}
