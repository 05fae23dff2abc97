import { beforeAll, describe, expect, it } from "vitest";
import type { ExplorationResult } from "./explore.ts";
import { exploreInBatches } from "./explore-in-blocks.ts";

describe("exploreInBatches", () => {
  const turnsOfRuns: number[] = [];
  const reported: ExplorationResult[] = [];
  let explored: ExplorationResult;

  beforeAll(() => {
    let revision = Number.POSITIVE_INFINITY;
    const explore = exploreInBatches(
      { seed: 1 },
      {
        ...{ safetyLaws: [], livenessLaws: [], steadyStateLaws: [] },
        onTurn: ({ cluster }) => {
          if (cluster.revision < revision) turnsOfRuns.push(0);
          turnsOfRuns.push((turnsOfRuns.pop() ?? 0) + 1);
          revision = cluster.revision;
        },
        onSimulated: (_, result) => void reported.push(result),
      },
    );
    // In scenario 141, a controller that misses the completion of its JobSet recreates its Jobs endlessly.
    explored = explore(2);
  });

  it("a random scenario that does not become idle is abandoned after a number of turns", () => {
    const { simulatedCount, idleCount } = explored;
    expect([simulatedCount, idleCount < simulatedCount, turnsOfRuns.length]).toEqual([
      50,
      true,
      50,
    ]);
    expect(Math.max(...turnsOfRuns)).toBe(5_000);
  });

  it("exploreInBatches reports the result of each scenario, and they add up to the result of the batch", () => {
    expect(reported).toHaveLength(50);
    const sum = (count: (result: ExplorationResult) => number) =>
      reported.reduce((before, result) => before + count(result), 0);
    expect(sum(({ idleCount }) => idleCount)).toBe(explored.idleCount);
    expect(reported.flatMap(({ reachedStates }) => [...reachedStates])).toEqual([
      ...explored.reachedStates,
    ]);
  });
});
