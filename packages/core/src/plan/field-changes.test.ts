import { describe, expect, it } from "vitest";
import { deepFreeze } from "../../../testing/src/testing/freezing.ts";
import { applyChanges, entryChanges } from "./field-changes.ts";

describe("applyChanges", () => {
  const object = deepFreeze({
    spec: { suspend: true, template: { a: 1 } },
    status: { startTime: 5 },
  });

  it("applyChanges sets and removes members and shares the rest", () => {
    const changed = applyChanges(object, [
      { path: ["spec", "suspend"], value: false },
      { path: ["status", "startTime"] },
    ]);
    expect(changed).toStrictEqual({ spec: { suspend: false, template: { a: 1 } }, status: {} });
    expect(changed.spec.template).toBe(object.spec.template);
  });

  it("applyChanges creates missing parents and replaces values that are not objects", () => {
    const at = ["spec", "template", "metadata", "labels"];
    expect(applyChanges({}, [{ path: at, value: {} }])).toEqual({
      spec: { template: { metadata: { labels: {} } } },
    });
    for (const inTheWay of [null, "x", 5, [1]]) {
      expect(applyChanges({ spec: inTheWay }, [{ path: ["spec", "a"], value: 1 }])).toEqual({
        spec: { a: 1 },
      });
    }
  });

  it("applyChanges creates no parents for a removal", () => {
    expect(applyChanges(object, [{ path: ["metadata", "labels", "a"] }])).toStrictEqual(object);
    expect(applyChanges({ spec: null }, [{ path: ["spec", "a"] }])).toEqual({ spec: null });
  });

  it("applyChanges returns the same object without changes", () => {
    expect(applyChanges(object, [])).toBe(object);
  });

  it("applyChanges accepts any member name", () => {
    const labels = applyChanges(JSON.parse('{"__proto__":1}'), [
      { path: ["a.b/c"], value: "d" },
      { path: ["constructor", "name"], value: "e" },
      { path: ["__proto__"], value: "f" },
    ]);
    expect(JSON.stringify(labels)).toBe('{"__proto__":"f","a.b/c":"d","constructor":{"name":"e"}}');
  });

  describe("of an element", () => {
    const containers = deepFreeze([{ name: "side" }, { name: "main", image: "i", resources: {} }]);
    const at = (...path: readonly string[]) => ["containers", { name: "main" }, ...path];

    it("applyChanges sets and removes members of an element and shares the others", () => {
      const changed = applyChanges({ containers }, [
        { path: at("resources", "limits"), value: {} },
        { path: at("image") },
      ]);
      expect(changed.containers).toEqual([
        { name: "side" },
        { name: "main", resources: { limits: {} } },
      ]);
      expect(changed.containers[0]).toBe(containers[0]);
    });

    it("applyChanges merges into an element, removes it, and adds a missing one", () => {
      const value = { name: "main", tty: true };
      expect(applyChanges({ containers }, [{ path: at(), value }]).containers).toEqual([
        { name: "side" },
        { name: "main", image: "i", resources: {}, tty: true },
      ]);
      expect(applyChanges({ containers }, [{ path: at() }]).containers).toEqual([{ name: "side" }]);
      for (const without of [{}, { containers: null }, { containers: [] }]) {
        expect(applyChanges(without, [{ path: at(), value }])).toEqual({ containers: [value] });
        expect(applyChanges(without, [{ path: at("tty"), value: true }])).toEqual({
          containers: [value],
        });
        expect(applyChanges(without, [{ path: at("tty") }])).toStrictEqual(without);
      }
    });

    it("applyChanges skips values that are not elements", () => {
      const invalidPodSpec = { containers: [null, "main", [1], { name: "main" }] };
      expect(applyChanges(invalidPodSpec, [{ path: at("tty"), value: true }]).containers).toEqual([
        null,
        "main",
        [1],
        { name: "main", tty: true },
      ]);
    });
  });
});

describe("entryChanges", () => {
  it("entryChanges returns the changes between two maps", () => {
    const [before, after] = [
      { a: "1", b: "2", c: "3" },
      { d: "4", b: "5", c: "3" },
    ];
    const changes = entryChanges(before, after);
    expect(changes).toStrictEqual([
      { path: ["a"] },
      { path: ["d"], value: "4" },
      { path: ["b"], value: "5" },
    ]);
    expect(applyChanges(before, changes)).toEqual(after);
    expect(entryChanges({}, { toString: "x" })).toHaveLength(1);
  });
});
