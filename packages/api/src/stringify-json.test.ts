import fc from "fast-check";
import { expect, it } from "vitest";
import { runs } from "../../testing/src/testing/runs.ts";
import { stringifyJson } from "./stringify-json.ts";

const LEVELS = 20_000;
const start = '{"a":['.repeat(LEVELS);
const end = "]}".repeat(LEVELS);

it("stringifyJson writes values that JSON.stringify cannot", () => {
  const text = `${start}1${end}`;
  const deep = JSON.parse(text);
  expect(() => JSON.stringify(deep)).toThrow(RangeError);
  expect(stringifyJson(deep) === text).toBe(true);
});

it("stringifyJson writes the same as JSON.stringify at any depth", () => {
  const scalars = fc.constantFrom<unknown>(
    undefined,
    () => 1,
    Symbol("s"),
    new Date(0),
    Number.NaN,
  );
  const holes = fc.constant(Object.assign([], { length: 2, 1: "x" }));
  const values = fc.anything({ values: [fc.jsonValue({ maxDepth: 3 }), scalars, holes] });
  let deepest: unknown = [];
  const innermost: unknown[] = deepest as unknown[];
  for (let level = 0; level < LEVELS; level++) deepest = [deepest];
  fc.assert(
    fc.property(values, (value) => {
      innermost[0] = value;
      const expected = JSON.stringify([value]).slice(1, -1);
      const text = stringifyJson(deepest) ?? "";
      expect(text.slice(LEVELS + 1, -LEVELS - 1)).toBe(expected);
    }),
    { numRuns: runs(15, 100) },
  );
});

it("stringifyJson returns undefined for a value that JSON does not have", () => {
  expect([stringifyJson(undefined), stringifyJson(() => 1)]).toEqual([undefined, undefined]);
});
