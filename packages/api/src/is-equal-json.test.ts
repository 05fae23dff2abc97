import { expect, it } from "vitest";
import { isEqualJson } from "./is-equal-json.ts";

it("isEqualJson compares the order of lists, but not that of members", () => {
  expect(isEqualJson({ a: [1, 2], b: null }, { b: null, a: [1, 2] })).toBe(true);
  expect(isEqualJson([1, 2], [2, 1])).toBe(false);
  expect(isEqualJson({ a: 1 }, { b: 1 })).toBe(false);
  expect(isEqualJson({}, [])).toBe(false);
  expect(isEqualJson(JSON.parse('{"__proto__": 1}'), {})).toBe(false);
});
