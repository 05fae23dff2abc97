import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { asJson } from "./as-json.ts";

const roundTrip = (value: unknown) => {
  const text = JSON.stringify(value);
  return text === undefined ? undefined : JSON.parse(text);
};

describe("asJson", () => {
  it("asJson returns the same value as a round trip through JSON", () => {
    const values = fc.anything({ withDate: true, withNullPrototype: true, withSparseArray: true });
    fc.assert(
      fc.property(values, (value) => {
        expect(JSON.stringify(asJson(value))).toBe(JSON.stringify(roundTrip(value)));
      }),
    );
  });

  it.each<[string, unknown]>([
    ["undefined", undefined],
    ["a function", () => 1],
    ["numbers that JSON lacks", { members: [Number.NaN, Number.POSITIVE_INFINITY, -0] }],
    ["undefined members and elements", { absent: undefined, list: [undefined, () => 1] }],
    ["toJSON", { at: new Date(0), own: { toJSON: () => "own" } }],
    ["a member __proto__", JSON.parse('{"a": {"__proto__": {"b": 1}}}')],
    ["deep nesting", Array.from({ length: 500 }).reduce((below) => ({ below }), {})],
  ])("asJson returns the same value as a round trip through JSON for %s", (_, value) => {
    const copy = asJson(value);
    expect(copy).toStrictEqual(roundTrip(value));
    expect(JSON.stringify(copy)).toBe(JSON.stringify(roundTrip(value)));
  });

  it("asJson throws for a value that contains itself", () => {
    const value: Record<string, unknown> = {};
    value.self = value;
    expect(() => asJson(value)).toThrow(TypeError);
  });

  it("asJson shares no object with its argument", () => {
    const value = Object.freeze({ list: Object.freeze([Object.freeze({ name: "a" })]) });
    const copy = asJson(value);
    expect(copy).toEqual(value);
    expect([copy, copy.list, copy.list[0]].some(Object.isFrozen)).toBe(false);
  });
});
