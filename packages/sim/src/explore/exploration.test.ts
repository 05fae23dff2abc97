import { describe, expect, it } from "vitest";
import { exploreInBlocks } from "./exploration.ts";

describe("exploreInBlocks", () => {
  it("leaves a random JobSet that restarts for ever after so many turns", () => {
    const turnsOfRuns: number[] = [];
    let revision = Number.POSITIVE_INFINITY;
    const explore = exploreInBlocks(
      { seed: 1 },
      {
        oracles: [],
        onTurn: ({ cluster }) => {
          if (cluster.revision < revision) turnsOfRuns.push(0);
          turnsOfRuns.push((turnsOfRuns.pop() ?? 0) + 1);
          revision = cluster.revision;
        },
      },
    );
    // The schedule 324 is one of these.
    const { played, quiet } = explore(6);
    expect([played, quiet < played, turnsOfRuns.length]).toEqual([50, true, 50]);
    expect(Math.max(...turnsOfRuns)).toBe(5_000);
  });
});
