import fc from "fast-check";
import { applyPatch } from "rfc6902";
import { describe, expect, it } from "vitest";
import { deepFreeze } from "../../../testing/src/testing/freezing.ts";
import { createJsonPatch, type PatchOperation } from "./json-patch.ts";

describe("createJsonPatch", () => {
  it("createJsonPatch returns no operations for equal values", () => {
    expect(createJsonPatch({ a: [1, { b: null }] }, { a: [1, { b: null }] })).toEqual([]);
    expect(createJsonPatch([0], [-0])).toEqual([]);
    expect(createJsonPatch({ a: 1, b: 2 }, { b: 2, a: 1 })).toEqual([]);
  });

  it("createJsonPatch does not compare parts that both values share", () => {
    const shared = new Proxy({}, { ownKeys: () => expect.fail("looked into a shared part") });
    expect(createJsonPatch({ shared, n: 1 }, { shared, n: 2 })).toEqual([
      { op: "replace", path: "/n", value: 2 },
    ]);
  });

  it("createJsonPatch works depth first, with members in byte order", () => {
    const to = { z: 1, B: { b: 1, a: 2 }, a: 3 };
    expect(createJsonPatch({ B: { c: 1 } }, to)).toEqual([
      { op: "add", path: "/B/a", value: 2 },
      { op: "add", path: "/B/b", value: 1 },
      { op: "remove", path: "/B/c" },
      { op: "add", path: "/a", value: 3 },
      { op: "add", path: "/z", value: 1 },
    ]);
  });

  it("createJsonPatch escapes names in paths", () => {
    expect(createJsonPatch({}, { "a/b~1": 1, "": 2 })).toEqual([
      { op: "add", path: "/", value: 2 },
      { op: "add", path: "/a~1b~01", value: 1 },
    ]);
  });

  it("createJsonPatch keeps the common start and end of a list", () => {
    const [a, b, c] = [{ name: "a" }, { name: "b" }, { name: "c" }];
    const copy = JSON.parse(JSON.stringify([a, b, c]));
    expect(createJsonPatch([a, c], copy)).toEqual([{ op: "add", path: "/1", value: b }]);
    expect(createJsonPatch(copy, [c])).toEqual([
      { op: "remove", path: "/1" },
      { op: "remove", path: "/0" },
    ]);
    expect(createJsonPatch([a], copy)).toEqual([
      { op: "add", path: "/1", value: b },
      { op: "add", path: "/2", value: c },
    ]);
  });

  it("createJsonPatch replaces a whole list if operations on its elements would be longer", () => {
    const from = { a: { b: Array(1_000).fill(null) }, c: 1 };
    const to = { a: { b: from.a.b.map(() => ({ name: "" })) }, c: 2 };
    expect(createJsonPatch(from, to)).toEqual([
      { op: "replace", path: "/a/b", value: to.a.b },
      { op: "replace", path: "/c", value: 2 },
    ]);
  });

  it("createJsonPatch replaces a whole object if operations on its members would be longer", () => {
    const names = Array.from({ length: 1_000 }, (_, at) => `k${at}`);
    const objectWith = (value: unknown) => Object.fromEntries(names.map((name) => [name, value]));
    const from = { spec: { labels: objectWith(null), other: 1 } };
    const to = { spec: { labels: objectWith(""), other: 1 } };
    expect(createJsonPatch(from, to)).toEqual([
      { op: "replace", path: "/spec/labels", value: to.spec.labels },
    ]);
  });

  it("createJsonPatch changes elements of a long list one by one if that is shorter", () => {
    const text = "x".repeat(1_000);
    const from = Array.from({ length: 500 }, () => ({ text, n: 0 }));
    const to = from.map((one) => ({ ...one, n: 1 }));
    const patch = createJsonPatch({ list: from }, { list: to });
    expect(patch).toHaveLength(500);
    expect(patch[7]).toEqual({ op: "replace", path: "/list/7/n", value: 1 });
  });

  it("createJsonPatch adds and removes equal elements at the end of a list", () => {
    expect(createJsonPatch(["-v"], ["-v", "-v"])).toEqual([{ op: "add", path: "/1", value: "-v" }]);
    expect(createJsonPatch(["-v", "-v"], ["-v"])).toEqual([{ op: "remove", path: "/1" }]);
  });

  it("createJsonPatch compares the elements between the common start and end by position", () => {
    expect(createJsonPatch([1, { a: 1, b: 1 }, 9], [1, { a: 2, b: 1 }, 3, 9])).toEqual([
      { op: "replace", path: "/1/a", value: 2 },
      { op: "add", path: "/2", value: 3 },
    ]);
  });

  it("createJsonPatch distinguishes a list from an object and null from an absent field", () => {
    expect(createJsonPatch({ a: [], b: null }, { a: {}, c: null })).toEqual([
      { op: "replace", path: "/a", value: {} },
      { op: "remove", path: "/b" },
      { op: "add", path: "/c", value: null },
    ]);
  });

  it("createJsonPatch treats undefined members as absent, and undefined elements as null", () => {
    expect(createJsonPatch({ a: undefined, b: 1 }, { b: undefined })).toEqual([
      { op: "remove", path: "/b" },
    ]);
    expect(createJsonPatch([null], [undefined])).toEqual([]);
    expect(createJsonPatch([1], undefined)).toEqual([{ op: "replace", path: "", value: null }]);
  });

  it("createJsonPatch treats an object with toJSON as one value", () => {
    const [noon, one] = [new Date("2026-02-07T12:00:00Z"), new Date("2026-02-07T13:00:00Z")];
    expect(createJsonPatch({ at: noon }, { at: noon })).toEqual([]);
    expect(createJsonPatch({ at: noon }, { at: one })).toEqual([
      { op: "replace", path: "/at", value: one },
    ]);
  });

  it("createJsonPatch replaces values that are nested too deeply", () => {
    const patch = createJsonPatch(createNestedValue(100_000, 1), createNestedValue(100_000, 2));
    expect(patch).toHaveLength(1);
    expect(patch[0]?.op).toBe("replace");
    expect(
      createJsonPatch([createNestedValue(100_000, 1)], [createNestedValue(100_000, 1), 1]),
    ).not.toEqual([]);
  });

  it("createJsonPatch visits each part only a few times in nested growing lists", () => {
    let readCount = 0;
    const createCountingProxy = () => new Proxy({}, { ownKeys: () => Array(0 * readCount++) });
    // Comparing the start and end of each list at every level would read 200 times.
    createJsonPatch(
      nestLists(200, createCountingProxy(), []),
      nestLists(200, createCountingProxy(), ["new"]),
    );
    expect(readCount).toBeLessThanOrEqual(4);
  });

  it("createJsonPatch visits the elements of a list of unchanged length once", () => {
    let readCount = 0;
    const ownKeys = (target: object) => {
      readCount += 1;
      return Reflect.ownKeys(target);
    };
    const [one, other] = [new Proxy({ n: 1 }, { ownKeys }), new Proxy({ n: 2 }, { ownKeys })];
    expect(createJsonPatch([one], [other])).toEqual([{ op: "replace", path: "/0/n", value: 2 }]);
    expect(readCount).toBe(2);
  });

  it("another implementation of JSON Patch gets the target from createJsonPatch", () => {
    fc.assert(
      fc.property(fc.tuple(values(), values()), ([from, to]) => {
        expect(applyPatchCopy(from, createJsonPatch(deepFreeze(from), deepFreeze(to)))).toEqual(to);
      }),
      { numRuns: 500 },
    );
  });

  it("createJsonPatch reaches the target after small changes", () => {
    fc.assert(
      fc.property(values(), fc.nat(), fc.integer(), (from, place, value) => {
        const to = JSON.parse(JSON.stringify(from));
        const lists = listsIn(to);
        const list = lists[place % Math.max(1, lists.length)];
        list?.splice(place % (list.length + 1), place % 3, value);
        expect(applyPatchCopy(from, createJsonPatch(from, to))).toEqual(to);
      }),
      { numRuns: 500 },
    );
  });

  it("createJsonPatch treats __proto__ as an ordinary member", () => {
    const to = JSON.parse('{ "__proto__": { "a": 1 }, "b": { "__proto__": 2 } }');
    expect(JSON.stringify(createJsonPatch({ b: {} }, to))).toBe(
      '[{"op":"add","path":"/__proto__","value":{"a":1}},{"op":"add","path":"/b/__proto__","value":2}]',
    );
    expect(createJsonPatch(to, { b: {} })).toEqual([
      { op: "remove", path: "/__proto__" },
      { op: "remove", path: "/b/__proto__" },
    ]);
  });
});

function applyPatchCopy(from: unknown, patch: readonly PatchOperation[]): unknown {
  const holder = { value: JSON.parse(JSON.stringify(from)) };
  const moved = patch.map((operation) => ({ ...operation, path: `/value${operation.path}` }));
  const results = applyPatch(holder, JSON.parse(JSON.stringify(moved)));
  expect(results.every((result) => result === null)).toBe(true);
  return holder.value;
}

/** JSON values with few names and scalars, so that two of them share parts. */
function values(): fc.Arbitrary<unknown> {
  return fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      fc.constantFrom(null, true, 0, 1, "", "a"),
      fc.array(tie("value"), { maxLength: 5 }),
      fc.dictionary(fc.constantFrom("a", "b/c", "~d", "", "0", "ü"), tie("value"), { maxKeys: 4 }),
    ),
  })).value;
}

function listsIn(value: unknown): unknown[][] {
  if (typeof value !== "object" || value === null) return [];
  const below = Object.values(value).flatMap(listsIn);
  return Array.isArray(value) ? [value, ...below] : below;
}

function createNestedValue(depth: number, innermost: unknown): unknown {
  let value = innermost;
  for (let level = 0; level < depth; level++) value = [value];
  return value;
}

function nestLists(depth: number, innermost: unknown, more: readonly unknown[]): unknown {
  let value: unknown = innermost;
  for (let level = 0; level < depth; level++) value = [...more, value, "end"];
  return value;
}
