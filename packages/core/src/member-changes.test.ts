import { deepFreeze } from "@jobset-ts/testing";
import { describe, expect, it } from "vitest";
import { applyChanges } from "./member-changes.ts";

describe("applyChanges", () => {
  const object = deepFreeze({
    spec: { suspend: true, template: { a: 1 } },
    status: { startTime: 5 },
  });

  it("sets and removes members, and shares the rest", () => {
    const changed = applyChanges(object, [
      { path: ["spec", "suspend"], value: false },
      { path: ["status", "startTime"] },
    ]);
    expect(changed).toStrictEqual({ spec: { suspend: false, template: { a: 1 } }, status: {} });
    expect(changed.spec.template).toBe(object.spec.template);
  });

  it("makes what is missing on the way to a member, or is in the way", () => {
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

  it("makes nothing in order to remove from it", () => {
    expect(applyChanges(object, [{ path: ["metadata", "labels", "a"] }])).toStrictEqual(object);
    expect(applyChanges({ spec: null }, [{ path: ["spec", "a"] }])).toEqual({ spec: null });
  });

  it("comes back as it is without changes", () => {
    expect(applyChanges(object, [])).toBe(object);
  });

  it("takes any name for a member", () => {
    const labels = applyChanges(JSON.parse('{"__proto__":1}'), [{ path: ["a.b/c"], value: "d" }]);
    expect(JSON.stringify(labels)).toBe('{"__proto__":1,"a.b/c":"d"}');
  });
});
