import { describe, expect, it } from "vitest";
import type { Scenario } from "../scenario/scenario.ts";
import { simulate } from "../scenario/simulate.ts";
import { typicalScenarios } from "../testing/typical-scenarios.ts";
import { listReachedStates } from "./reached-states.ts";

function getStates(scenario: Scenario | undefined, seed = 1): ReadonlySet<string> {
  const states = new Set<string>();
  simulate(
    { ...(scenario as Scenario), seed },
    {
      onTurn: (turn) => {
        for (const state of listReachedStates(turn)) states.add(state);
      },
    },
  );
  return states;
}

const { failure, restart, suspension } = typicalScenarios;

describe("listReachedStates", () => {
  it("listReachedStates distinguishes restarts, suspension and conditions", () => {
    const states = [...getStates(restart), ...getStates(suspension)];
    expect(states.some((state) => state.startsWith("1 "))).toBe(true);
    expect(states.some((state) => state.includes("Suspended=True/SuspendedJobs"))).toBe(true);
    expect(states.some((state) => state.includes("Completed=True/AllJobsCompleted"))).toBe(true);
    expect([...getStates(failure)].at(-1)).toContain("Failed=True/FailedJobs");
  });

  it("listReachedStates distinguishes none, one and several Jobs, but not other numbers", () => {
    const wider = (replicas: number) => ({
      ...(failure as Scenario),
      objects: (failure as Scenario).objects.map((object) =>
        JSON.parse(JSON.stringify(object).replace('"replicas":2', `"replicas":${replicas}`)),
      ),
    });
    expect([...getStates(wider(3))].at(-1)).toBe([...getStates(wider(4))].at(-1));
    expect([...getStates(wider(1))].at(-1)).not.toBe([...getStates(wider(2))].at(-1));
  });

  it("listReachedStates ignores names and times", () => {
    expect(getStates(failure, 1)).toEqual(getStates(failure, 2));
  });

  it("listReachedStates returns nothing for turns in which no JobSet changes", () => {
    const turns: number[] = [];
    simulate(failure as Scenario, {
      onTurn: (turn) => {
        const changed = turn.changes.filter(({ after }) => after?.kind === "JobSet").length;
        expect(listReachedStates(turn)).toHaveLength(changed);
        turns.push(changed);
      },
    });
    expect(turns).toContain(0);
  });
});
