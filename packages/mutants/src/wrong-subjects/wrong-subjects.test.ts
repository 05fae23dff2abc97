import { describe, expect, it } from "vitest";
import { passes } from "../law-sets.ts";
import { knownDefects, notExpressed } from "./known-defects.ts";
import { createWrongSubjects, listSurvivedSeeds } from "./wrong-subject.ts";
import { wrongSubjects } from "./wrong-subjects.ts";

const expressed = wrongSubjects.filter(({ knownDefect }) => knownDefect !== undefined);

// `npm run mutate:answers` examines all wrong subjects on several seeds.
describe("the known defects", () => {
  it("each known defect has a wrong subject or a reason why it has none", () => {
    const ids = [...expressed.map((one) => one.knownDefect), ...Object.keys(notExpressed)];
    expect(ids.toSorted()).toEqual(knownDefects.toSorted());
  });

  it.each(expressed.filter((_, index) => index % 6 === 0))(
    "$knownDefect: a law catches what $what",
    async (wrong) => {
      expect(await listSurvivedSeeds(wrong, 1)).toEqual([]);
    },
  );
});

describe("the wrong subjects", () => {
  it("the wrong subjects have different names", () => {
    expect(new Set(wrongSubjects.map(({ what }) => what)).size).toBe(wrongSubjects.length);
  });

  it("createWrongSubjects rejects a law that does not exist", () => {
    const defects = { jobsAreWrong: { "does nothing": () => () => undefined } };
    expect(() => createWrongSubjects(passes, defects)).toThrow("there is no law jobsAreWrong");
  });
});
