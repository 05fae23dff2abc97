import { describe, expect, it } from "vitest";
import { runs } from "../../../testing/src/testing/runs.ts";
import { type ExplorationResult, explore } from "./explore.ts";
import { randomScenario } from "./random-scenario.ts";
import type { ScenarioSize } from "./scenario-size.ts";

function* randomScenarios(from: number, count: number) {
  for (let seed = from; seed < from + count; seed++) yield randomScenario(seed);
}

/** A JobSet of at most 2 ReplicatedJobs × 2 Jobs × 2 Pods. */
const TINY: ScenarioSize = { replicatedJobs: 2, replicas: 2, pods: 2, faults: 5, actions: 2 };

function* tinyScenarios(count: number) {
  for (let seed = 1; seed <= count; seed++) yield randomScenario(seed, TINY);
}

function findings({ failingScenarios }: ExplorationResult) {
  return failingScenarios.map(({ scenario, violation }) => [scenario.seed, violation.message]);
}

/** Few scenarios take longer. */
const SHORT = { maxTurns: 2_000 };

describe("explore", () => {
  it("explore finds no violation in the production code", () => {
    const count = runs(20, 600);
    const explored = explore(tinyScenarios(count), SHORT);
    expect(findings(explored)).toEqual([]);
    expect(explored).toMatchObject({ simulatedCount: count, rejectedCount: 0 });
    // An exploration without any events would find nothing.
    expect(explored.reachedStates.size).toBeGreaterThan(count);
  });

  it("explore finds no violation with larger JobSets", () => {
    expect(findings(explore(randomScenarios(1, runs(8, 200)), SHORT))).toEqual([]);
  });
});
