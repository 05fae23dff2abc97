import { describe, expect, it } from "vitest";
import { selectSuites } from "./suites.ts";

const all = selectSuites([]);

describe("the arguments of the end-to-end tests", () => {
  it("without arguments, everything is selected", () => {
    expect(all.map(({ runsJobs }) => runsJobs)).toEqual([true, false]);
    expect(all.map(({ rounds }) => rounds.length)).toEqual([6, 1]);
  });

  it("arguments that match rounds select these rounds with all stories", () => {
    const [suite, ...others] = selectSuites(["undisturbed"]);
    expect(others).toEqual([]);
    expect(suite?.rounds.map(({ name }) => name)).toEqual(["undisturbed"]);
    expect(suite?.scenarios).toEqual(all[0]?.scenarios);
  });

  it("arguments that match stories select these stories in every round", () => {
    const [suite] = selectSuites(["leader moves"]);
    expect(suite?.rounds).toEqual(all[0]?.rounds);
    expect(suite?.scenarios.map(({ name }) => name)).toEqual([
      "when the leader moves to another rack, its followers follow",
    ]);
  });

  it("an argument that matches nothing is rejected", () => {
    expect(() => selectSuites(["undisturbed", "nonsense"])).toThrow(
      /^"nonsense" matches no round and no story:\n {2}undisturbed\n/,
    );
  });
});

it("the names of rounds and stories are unique", () => {
  const names = all.flatMap(({ rounds, scenarios }) =>
    [...rounds, ...scenarios].map((one) => one.name),
  );
  expect(new Set(names).size).toBe(names.length);
});
