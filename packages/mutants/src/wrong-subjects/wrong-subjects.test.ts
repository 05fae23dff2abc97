import { describe, expect, it } from "vitest";
import { knownDefects, notExpressed } from "./known-defects.ts";
import { countRuns, findLaw } from "./wrong-subject.ts";
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
      expect(await countRuns(wrong, 1)).not.toContain(undefined);
    },
  );
});

describe("the wrong subjects", () => {
  it("the wrong subjects have different names", () => {
    expect(new Set(wrongSubjects.map(({ what }) => what)).size).toBe(wrongSubjects.length);
  });

  it("the wrong subjects name existing laws", () => {
    expect(wrongSubjects.filter((wrong) => findLaw(wrong) === undefined)).toEqual([]);
  });
});
