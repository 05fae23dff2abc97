import { expect, it } from "vitest";
import { isEqualJson } from "./is-equal-json.ts";

it("isEqualJson compares the order of lists, but not that of members", () => {
  expect(isEqualJson({ a: [1, 2], b: null }, { b: null, a: [1, 2] })).toBe(true);
  expect(isEqualJson([1, 2], [2, 1])).toBe(false);
  expect(isEqualJson({ a: 1 }, { b: 1 })).toBe(false);
  expect(isEqualJson({}, [])).toBe(false);
  expect(isEqualJson(JSON.parse('{"__proto__": 1}'), {})).toBe(false);
});

it.each([99, 100, 101, 250, 100_000])("isEqualJson compares values with %d levels", (levels) => {
  const nest = (inner: unknown) => {
    let value = inner;
    for (let level = 0; level < levels; level++) value = level % 2 === 0 ? { a: value } : [value];
    return value;
  };
  expect(isEqualJson(nest(1), nest(1))).toBe(true);
  expect(isEqualJson(nest(1), nest(2))).toBe(false);
  expect(isEqualJson(nest({ a: 1 }), nest({}))).toBe(false);
});
