import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { deepFreeze } from "../../../testing/src/testing/freezing.ts";
import { runs } from "../../../testing/src/testing/runs.ts";
import { toWire } from "./wire-form.ts";

describe("toWire", () => {
  it("toWire writes times as the API server does", () => {
    const time = new Date("2026-02-07T06:56:19.900Z");
    expect(toWire({ a: [{ time }], b: new Date(Number.NaN) })).toEqual({
      a: [{ time: "2026-02-07T06:56:19Z" }],
      b: null,
    });
  });

  it("toWire omits members that are undefined", () => {
    expect(toWire({ a: undefined, b: { c: undefined } })).toStrictEqual({ b: {} });
  });

  it("toWire shares parts that are in wire form already", () => {
    const value = deepFreeze({ a: { b: [1, "x", null] }, c: { d: undefined } });
    const wire = toWire<typeof value>(value);
    expect(wire.a).toBe(value.a);
    expect(toWire(value.a)).toBe(value.a);
  });

  it("toWire keeps members with any name", () => {
    const value = JSON.parse('{"__proto__":{"a":1},"b":2}');
    expect(JSON.stringify(toWire({ ...value, c: undefined }))).toBe('{"__proto__":{"a":1},"b":2}');
  });

  it("toWire does not overflow on deep nesting", () => {
    let value: unknown = new Date(0);
    for (let depth = 0; depth < 100_000; depth++) value = [value];
    expect(toWire(value)).toBe(value);
  });

  it("toWire does not change JSON", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(toWire(value)).toBe(value);
      }),
      { numRuns: runs(100) },
    );
  });
});
