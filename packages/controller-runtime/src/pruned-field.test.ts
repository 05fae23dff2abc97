import fc from "fast-check";
import { expect, it } from "vitest";
import { findPrunedField } from "./pruned-field.ts";

it.each<[unknown, unknown, string | undefined]>([
  [{ status: { restarts: 1 } }, { status: { restarts: 1 }, spec: {} }, undefined],
  [{ status: { restarts: 1 } }, { status: {} }, "status.restarts"],
  [{ status: { restarts: 1 } }, {}, "status"],
  [{ list: [{ a: 1 }, { a: 1, b: 2 }] }, { list: [{ a: 1 }, { a: 1 }] }, "list.b"],
  [{ list: [{ a: 1 }] }, { list: [] }, "list"],
  [{ a: { b: 1 } }, { a: null }, "a.b"],
  [{ a: 0, b: "", c: [], d: false, e: null, f: undefined }, {}, undefined],
  [{ toString: 1 }, {}, "toString"],
])("findPrunedField of %j, stored as %j, returns %j", (sent, stored, path) => {
  expect(findPrunedField(sent, stored)).toBe(path);
});

it("findPrunedField finds nothing if all fields were stored or the value is not an object", () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => findPrunedField(value, value) === undefined));
  for (const value of [null, undefined, 3, "x"]) expect(findPrunedField(value, {})).toBe(undefined);
});
