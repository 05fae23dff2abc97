import { expect, it } from "vitest";
import { foldIndexedTexts, namesText, splitIndices } from "./indexed-text.ts";

const fold = (...texts: readonly string[]) => foldIndexedTexts(texts.map(splitIndices));

it("splitIndices takes the indexes out of names and omits generated suffixes", () => {
  expect(splitIndices("Created pod: train-w-3-17-bcdfg on node-2")).toEqual({
    parts: ["Created pod: train-w-", "-", " on node-", ""],
    indexes: [3, 17, 2],
  });
  expect(splitIndices("train-w-3-bcdfg").parts).toEqual(["train-w-", ""]);
  expect(splitIndices("train-w-3-17-").indexes).toEqual([3, 17]);
});

it.each(["2026-01-01T00:00:42Z", "train-007", "gke-a1", "attempt 3", "v1.30.2", "\u0000", ""])(
  "splitIndices takes no index out of %j",
  (text) => {
    expect(splitIndices(text)).toEqual({ parts: [text], indexes: [] });
  },
);

it("foldIndexedTexts writes runs of indexes as ranges, and a few of many", () => {
  expect(fold("w-0", "w-1", "w-2", "w-5")).toBe("w-{0..2,5}");
  expect(fold("w-1", "w-1")).toBe("w-1");
  expect(fold("0 of 4 Pods ready", "4 of 4 Pods ready")).toBe("0,4 of 4 Pods ready");
  expect(fold("w-0", "w-2", "w-4", "w-6", "w-8", "w-10")).toBe("w-{0,2,4,…,10}");
});

it("namesText counts names and marks incomplete combinations of indexes", () => {
  expect(namesText("Pod", ["w-0-0", "w-0-1", "w-1-0", "w-1-1"])).toBe("4 Pods w-{0,1}-{0,1}");
  expect(namesText("Pod", ["w-0-0", "w-0-1", "w-1-0"])).toBe("3 Pods of w-{0,1}-{0,1}");
  expect(namesText("Pod", ["w-0-bbbbb", "w-0-ccccc", "w-1-ddddd"])).toBe("3 Pods w-{0,1}-*");
  expect(namesText("Job", ["w-0", "w-0"])).toBe("Job w-0");
});
