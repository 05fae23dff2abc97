import { describe, expect, it } from "vitest";
import { selected } from "./suites.ts";

const all = selected([]);

describe("words", () => {
  it("choose everything when there are none", () => {
    expect(all.map(({ runsJobs }) => runsJobs)).toEqual([true, false]);
    expect(all.map(({ rounds }) => rounds.length)).toEqual([6, 1]);
  });

  it("choose the rounds whose names they are in, with all their stories", () => {
    const [suite, ...others] = selected(["undisturbed"]);
    expect(others).toEqual([]);
    expect(suite?.rounds.map(({ name }) => name)).toEqual(["undisturbed"]);
    expect(suite?.scenarios).toEqual(all[0]?.scenarios);
  });

  it("choose the stories whose names they are in, in every round", () => {
    const [suite] = selected(["leader moves"]);
    expect(suite?.rounds).toEqual(all[0]?.rounds);
    expect(suite?.scenarios.map(({ name }) => name)).toEqual([
      "when the leader moves to another rack, its followers are sent after it",
    ]);
  });

  it("are refused when they are in no name", () => {
    expect(() => selected(["undisturbed", "nonsense"])).toThrow(
      /^"nonsense" is in the name of no round and no story:\n {2}undisturbed\n/,
    );
  });
});

it("every name of a round and of a story is there once", () => {
  const names = all.flatMap(({ rounds, scenarios }) =>
    [...rounds, ...scenarios].map((one) => one.name),
  );
  expect(new Set(names).size).toBe(names.length);
});
