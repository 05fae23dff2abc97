import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findFrozenPath } from "../../testing/src/testing/freezing.ts";
import { frozenCopy } from "./frozen-copy.ts";

describe("frozenCopy", () => {
  it("frozenCopy returns an equal object that is frozen at every level, and does not change the original", () => {
    const objects = fc.jsonValue().filter((value) => typeof value === "object" && value !== null);
    fc.assert(
      fc.property(objects, (value) => {
        const text = JSON.stringify(value);
        const copy = frozenCopy<object>(value);
        expect(JSON.stringify(copy)).toBe(text);
        expect(findFrozenPath(value)).toBeUndefined();
        expect(firstUnfrozen(copy)).toBeUndefined();
      }),
    );
  });

  it("frozenCopy shares parts that are deeply frozen", () => {
    const frozen = frozenCopy<object>({ list: [{ name: "main" }] });
    const shallow = Object.freeze({ list: [{ name: "main" }] });
    const copy = frozenCopy<{ frozen: object; shallow: object }>({ frozen, shallow });
    expect(copy.frozen).toBe(frozen);
    expect(copy.shallow).not.toBe(shallow);
    expect(firstUnfrozen(copy)).toBeUndefined();
  });

  it("frozenCopy returns primitive values unchanged", () => {
    for (const value of [null, undefined, true, 5, "x"]) expect(frozenCopy(value)).toBe(value);
  });

  it("frozenCopy omits members that are undefined", () => {
    expect(Object.keys(frozenCopy<object>({ a: undefined, b: null, c: 0 }))).toEqual(["b", "c"]);
  });

  it("frozenCopy treats __proto__ as an ordinary member", () => {
    const copy = frozenCopy<object>(JSON.parse('{ "__proto__": { "a": 1 } }'));
    expect(JSON.stringify(copy)).toBe('{"__proto__":{"a":1}}');
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
  });

  it("frozenCopy converts class instances of a client to plain objects", () => {
    class Container {
      readonly name = "main";
    }
    const copy = frozenCopy<object>([new Container()]);
    expect(copy).toStrictEqual([{ name: "main" }]);
  });

  it("frozenCopy writes a Date as RFC 3339 and an invalid one as null", () => {
    const dates = { at: new Date("2026-02-07T06:56:19.999Z"), never: new Date(Number.NaN) };
    expect(frozenCopy(dates)).toEqual({ at: "2026-02-07T06:56:19Z", never: null });
  });

  it("frozenCopy shares parts that are deeper than anything that a server stores", () => {
    let deep: { below?: object } = {};
    const bottom = deep;
    for (let level = 0; level < 100_000; level++) deep = { below: deep };
    let part = frozenCopy<{ below?: object }>(deep);
    expect(part).not.toBe(deep);
    for (let level = 0; level < 100_000; level++) part = part.below as { below?: object };
    expect(part).toBe(bottom);
  });

  it("frozenCopy shares parts that are too deep in lists, too", () => {
    let deep: unknown[] = [];
    const bottom = deep;
    for (let level = 0; level < 100_000; level++) deep = [deep];
    let part = frozenCopy<unknown[]>(deep);
    expect(part).not.toBe(deep);
    for (let level = 0; level < 100_000; level++) part = part[0] as unknown[];
    expect(part).toBe(bottom);
  });
});

function firstUnfrozen(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  if (!Object.isFrozen(value)) return value;
  return Object.values(value).find((part) => firstUnfrozen(part) !== undefined);
}
