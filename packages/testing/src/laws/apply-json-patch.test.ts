import fc from "fast-check";
import { applyPatch } from "rfc6902";
import { expect, it } from "vitest";
import { applyJsonPatch } from "./apply-json-patch.ts";

it("applyJsonPatch applies the patches that another implementation applies, with the same result", () => {
  const values = fc.constantFrom<unknown>([], {}, [1, 2], { a: [1, { "b/c": 2 }] });
  const paths = fc
    .array(fc.constantFrom("a", "0", "1", "2", "3", "b~1c", ""), { maxLength: 3 })
    .map((steps) => steps.map((step) => `/${step}`).join(""));
  const operations = fc.record({
    op: fc.constantFrom("add", "remove", "replace", "move", "copy", "test"),
    path: paths,
    from: paths,
    value: values,
  });
  let applied = 0;
  fc.assert(
    fc.property(values, fc.array(operations, { maxLength: 3 }), (value, patch) => {
      const result = applyJsonPatch(value, patch);
      // The other implementation accepts operations without a target.
      if (!result.ok) return;
      applied += patch.length;
      const holder = { value: JSON.parse(JSON.stringify(value)) };
      const moved = patch.map(({ path, from, ...one }) => ({
        ...one,
        path: `/value${path}`,
        from: `/value${from}`,
      }));
      const results = applyPatch(holder, JSON.parse(JSON.stringify(moved)));
      expect(results.filter(Boolean)).toEqual([]);
      expect(result.value).toEqual(holder.value);
    }),
    { numRuns: 2_000 },
  );
  expect(applied).toBeGreaterThan(50);
});

it.each([
  {},
  [null],
  [{ op: "mend", path: "/a" }],
  [{ op: "move", path: "/a" }],
  [{ op: "move", path: "/b/0", from: "/b" }],
  [{ op: "copy", path: "/a", from: "/c" }],
  [{ op: "test", path: "/b", value: [2, 1] }],
  [{ op: "test", path: "/a" }],
  [{ op: "add", path: "a", value: 1 }],
  [{ op: "add", path: "/a" }],
  [{ op: "remove", path: "" }],
  [{ op: "add", path: "/b/01", value: 1 }],
  [{ op: "add", path: "/b/3", value: 1 }],
  [{ op: "replace", path: "/b/2", value: 1 }],
  [{ op: "replace", path: "/c", value: 1 }],
  [{ op: "remove", path: "/c" }],
  [{ op: "add", path: "/c/d", value: 1 }],
  [{ op: "add", path: "/a/d", value: 1 }],
  [{ op: "remove", path: "/b/-" }],
])("applyJsonPatch rejects %j", (patch) => {
  expect(applyJsonPatch({ a: 1, b: [1, 2] }, patch)).toMatchObject({ ok: false });
});
