import { describe, expect, it } from "vitest";
import { explore } from "./explore.ts";
import { randomScenario } from "./random-scenario.ts";

function* randomScenarios(from: number, count: number) {
  for (let seed = from; seed < from + count; seed++) yield randomScenario(seed);
}

describe("explore", () => {
  it("finds nothing against the production code", () => {
    const started = process.cpuUsage();
    const { found, played, states, quiet } = explore(randomScenarios(1, 300));
    const { user } = process.cpuUsage(started);
    console.log({ played, states, quiet, ms: user / 1000 / played });
    expect(found.map(({ scenario, violation }) => [scenario.seed, violation.message])).toEqual([]);
  });
});
