import { describe, expect, it } from "vitest";
import { explore } from "./explore.ts";
import { randomScenario } from "./random-scenario.ts";

function* randomScenarios(from: number, count: number) {
  for (let seed = from; seed < from + count; seed++) yield randomScenario(seed);
}

describe("explore", () => {
  it("finds nothing against the production code", () => {
    const { found } = explore(randomScenarios(1, 200));
    expect(found.map(({ scenario, violation }) => [scenario.seed, violation.message])).toEqual([]);
  });
});
