import { describe, expect, it } from "vitest";
import { randomScenario } from "../explore/random-scenario.ts";
import { play } from "./play.ts";

/** All objects and lists in a value. */
function partsOf(value: unknown): readonly object[] {
  if (typeof value !== "object" || value === null) return [];
  return [value, ...Object.values(value).flatMap(partsOf)];
}

describe("play", () => {
  it("leaves a scenario as it was, neither changed nor frozen", () => {
    const scenario = randomScenario(1);
    const before = JSON.stringify(scenario);
    expect(partsOf(scenario).filter(Object.isFrozen)).toEqual([]);
    play(scenario);
    expect(JSON.stringify(scenario)).toBe(before);
    expect(partsOf(scenario).filter(Object.isFrozen)).toEqual([]);
  });

  it("has no need to write a status that a creation takes", () => {
    const asked: string[] = [];
    const scenario = randomScenario(1);
    play(scenario, {
      onTurn: ({ changes }) =>
        void asked.push(
          ...changes
            .filter(({ actor }) => actor === "user")
            .map(({ verb, after }) => `${verb} ${after?.kind}`),
        ),
    });
    const nodes = scenario.objects.filter(({ kind }) => kind === "Node");
    expect(asked.filter((line) => line.endsWith("Node"))).toEqual(nodes.map(() => "Added Node"));
  });
});
