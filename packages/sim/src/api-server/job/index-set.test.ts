import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findLowestFreeIndexes, formatIndexes, parseIndexes } from "./index-set.ts";

describe("completion indexes", () => {
  it.each([
    ["", []],
    ["0", [0]],
    ["1,2", [1, 2]],
    ["1-3", [1, 2, 3]],
    ["1,3-5,7", [1, 3, 4, 5, 7]],
  ])("formatIndexes writes %j", (text, indexes) => {
    expect(formatIndexes(new Set(indexes.toReversed()))).toBe(text);
    expect([...parseIndexes(text, 10)]).toEqual(indexes);
  });

  it("parseIndexes reads what formatIndexes wrote", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(40)), (indexes) => {
        const read = parseIndexes(formatIndexes(new Set(indexes)), 41);
        expect([...read]).toEqual(indexes.toSorted((one, other) => one - other));
      }),
    );
  });

  it("parseIndexes ignores indexes beyond the completions", () => {
    expect([...parseIndexes("1,3-999999999", 5)]).toEqual([1, 3, 4]);
  });

  it("findLowestFreeIndexes starts at the lowest free index", () => {
    const usedSets = [new Set([0, 2]), new Set([3])];
    expect(findLowestFreeIndexes(usedSets, { bound: 6, count: 2 })).toEqual([1, 4]);
    expect(findLowestFreeIndexes(usedSets, { bound: 6, count: 9 })).toEqual([1, 4, 5]);
  });
});
