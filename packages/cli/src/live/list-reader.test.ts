import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../testing/src/testing/runs.ts";
import { ListReader } from "./list-reader.ts";

/** Returns the result of a reader for a text that arrives in chunks. */
function read(text: string, length = text.length) {
  const objects: unknown[] = [];
  const reader = new ListReader((object) => objects.push(object));
  const bytes = new TextEncoder().encode(text);
  for (let start = 0; start < bytes.length; start += length) {
    if (!reader.read(bytes.subarray(start, start + length))) break;
  }
  return { objects, next: reader.finish() };
}

describe("ListReader", () => {
  it("ListReader reads the objects of a list one by one, for any chunk boundaries", () => {
    const items = fc.array(fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue()));
    const layout = fc.constantFrom(undefined, 2, "\t");
    fc.assert(
      fc.property(items, layout, fc.integer({ min: 1, max: 20 }), (objects, space, length) => {
        const list = { apiVersion: "v1", items: objects, kind: "PodList", metadata: { a: [{}] } };
        const text = JSON.stringify(list, null, space);
        const whole = JSON.parse(text) as typeof list;
        expect(read(text, length)).toEqual({ objects: whole.items, next: "" });
      }),
      { numRuns: runs(40, 2_000) },
    );
  });

  it("ListReader omits the managed fields of metadata, and no other member", () => {
    const managedFields = fc.array(fc.jsonValue());
    const layout = fc.constantFrom(undefined, 2, "\t");
    const lengths = fc.integer({ min: 1, max: 80 });
    fc.assert(
      fc.property(managedFields, layout, lengths, (fields, space, length) => {
        const kept = {
          name: ',"managedFields":[',
          labels: { managedFields: "yes" },
          finalizers: [],
        };
        const others = { spec: { names: fields, managedFields: "no" }, managedFields: fields };
        const objects = [{ metadata: { ...kept, managedFields: fields, uid: "1" }, ...others }, {}];
        const text = JSON.stringify({ kind: "PodList", items: objects }, null, space);
        const expected = JSON.parse(
          JSON.stringify([{ metadata: { ...kept, uid: "1" }, ...others }, {}]),
        );
        expect(read(text, length)).toEqual({ objects: expected, next: "" });
      }),
      { numRuns: runs(40, 2_000) },
    );
  });

  it("ListReader distinguishes a list from other text", () => {
    for (const text of [
      "",
      "[]",
      "{}",
      "null",
      '{"kind": "Pod", "items": []}',
      '{"kind": "List"}',
      '{"kind": "List", "items": {}}',
      '{"kind": "List", "items": [1]}',
      '{"kind": "List", "items": [[{}]]}',
      '{"kind": "List", "other": [{}], "items": []}',
      '{"kind": "List", "items": [{]}]}',
      '{"kind": "List", "items": [{}',
      '{"kind": "List", "items": []} {}',
      'x {"kind": "List", "items": []}',
      "}".repeat(9),
    ]) {
      expect(read(text).next, text).toBeUndefined();
    }
    expect(read(' {"kind": "List", "items": []}\n').next).toBe("");
  });

  it("ListReader returns the token of the next page, before or after the objects", () => {
    const [metadata, items] = ['"metadata": {"continue": "abc="}', '"items": [{"a": 1}]'];
    for (const [first, second] of [
      [metadata, items],
      [items, metadata],
    ]) {
      const text = `{"kind": "PodList", ${first}, ${second}}`;
      expect(read(text)).toEqual({ objects: [{ a: 1 }], next: "abc=" });
    }
    const misshapen = '{"kind": "List", "items": [], "metadata": {"continue": {}}}';
    expect(read(misshapen).next).toBe("");
  });

  it("ListReader keeps at most one object of a list in memory", () => {
    const object = `{"kind": "Pod", "spec": "${"x".repeat(1 << 20)}"}`;
    let count = 0;
    const reader = new ListReader(() => {
      count += 1;
    });
    const encoder = new TextEncoder();
    expect(reader.read(encoder.encode('{"kind": "List", "items": ['))).toBe(true);
    // The text is twice as long as the maximum that is kept.
    const later = encoder.encode(`,${object}`);
    for (let index = 0; index < 128; index += 1) {
      expect(reader.read(index > 0 ? later : later.subarray(1))).toBe(true);
    }
    reader.read(encoder.encode("]}"));
    expect({ count, next: reader.finish() }).toEqual({ count: 128, next: "" });
  });

  it("ListReader stops at a text that cannot be a list", () => {
    const reader = new ListReader(() => {});
    const bytes = new TextEncoder().encode("x".repeat(1 << 22));
    const isMaybeList = Array.from({ length: 17 }, () => reader.read(bytes));
    expect(isMaybeList.at(0)).toBe(true);
    expect(isMaybeList.at(-1)).toBe(false);
  });
});
