import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../testing/src/testing/runs.ts";
import { LayeredMap } from "./layered-map.ts";

type Value = { readonly value: number };

const keys = fc.constantFrom("a", "b", "c", "__proto__", "tscfc27", "n9pfrgb");
const values = fc.nat(5).map((value): Value => ({ value }));

describe("a LayeredMap", () => {
  it("LayeredMap behaves like a Map, and earlier versions do not change", () => {
    const bulk = fc.uniqueArray(fc.tuple(keys, values), { selector: ([key]) => key });
    const changes = fc.array(fc.tuple(keys, fc.option(values, { nil: undefined })));
    fc.assert(
      fc.property(bulk, changes, (filled, list) => {
        const base: ReadonlyMap<string, Value> = new Map(filled);
        const versions = [{ layered: LayeredMap.of(base), map: base }];
        for (const [key, value] of list) {
          const { layered, map } = versions.at(-1) ?? { layered: LayeredMap.of(base), map: base };
          const next = new Map(map);
          if (value === undefined) next.delete(key);
          else next.set(key, value);
          versions.push({ layered: layered.with(key, value), map: next });
        }
        for (const { layered, map } of versions) {
          for (const key of ["a", "b", "c", "__proto__", "tscfc27", "n9pfrgb", "absent"]) {
            expect(layered.get(key)).toBe(map.get(key));
          }
          const entries = layered.entries();
          expect(new Map(entries)).toEqual(map);
          expect(entries).toHaveLength(map.size);
          expect(layered.size).toBe(map.size);
          expect(layered.values()).toEqual(entries.map(([, value]) => value));
        }
        expect([...base]).toEqual(filled);
      }),
      { numRuns: runs(50) },
    );
  });
});
