import { expect, it } from "vitest";
import { listNames } from "./mutant.mjs";
import { drawSample } from "./sample.mjs";
import { asEntries, compareSurvivors } from "./survivors.mjs";

const source = "const a = 1;\nif (a > 0 && a > 0) {\n  run();\n}\n";
const at = (line: number, column: number, endLine: number, endColumn: number) => ({
  start: { line, column },
  end: { line: endLine, column: endColumn },
});

it("listNames names a mutant by its line, original text and replacement, and numbers duplicates", () => {
  const mutants = [
    { location: at(1, 4, 1, 9), replacement: "a >= 0" },
    { location: at(1, 13, 1, 18), replacement: "a >= 0" },
    { location: at(1, 20, 3, 1), replacement: "{}" },
  ];
  const line = "if (a > 0 && a > 0) {";
  expect(listNames(source, mutants)).toEqual([
    { line, was: "a > 0", became: "a >= 0" },
    { line, was: "a > 0", became: "a >= 0", which: 2 },
    { line, was: "{ run(); }", became: "{}" },
  ]);
});

const all = ["a.ts", "b.ts", "c.ts"].flatMap((path, file) =>
  Array.from({ length: 25 * file + 5 }, (_, index) => ({
    id: `${path}-${index}`,
    path,
    name: { line: `line ${index}`, was: "x", became: "y" },
  })),
);

it("drawSample selects a tenth of each file, at least one mutant, reproducibly for each seed", () => {
  const sample = drawSample(all, "1");
  const counts = ["a.ts", "b.ts", "c.ts"].map(
    (path) => sample.filter((one) => one.path === path).length,
  );
  expect(counts).toEqual([1, 3, 6]);
  expect(drawSample(all, "1")).toEqual(sample);
  expect(drawSample(all, "2")).not.toEqual(sample);
});

it("drawSample keeps a mutant in the sample if it moves within its file", () => {
  const ids = (mutants: { id: string }[]) => mutants.map(({ id }) => id).sort();
  expect(ids(drawSample(all.toReversed(), "1"))).toEqual(ids(drawSample(all, "1")));
});

it("compareSurvivors separates survivors with a reason, survivors without one, and killed mutants", () => {
  const [first, second, third, fourth, fifth] = all
    .slice(5)
    .map(({ path, name }) => ({ path, name }));
  const known = { "b.ts": [first, third].map((one) => ({ ...one?.name, why: "equivalent" })) };
  const unreasoned = { "b.ts": [...known["b.ts"], { ...second?.name, why: "" }] };
  const results = [
    { ...first, status: "Survived" },
    { ...second, status: "NoCoverage" },
    { ...third, status: "Killed" },
    { ...fourth, status: "Timeout" },
    { ...fifth, status: "RuntimeError" },
  ];
  const sorted = compareSurvivors(results, unreasoned);
  expect(sorted).toEqual({
    killed: 2,
    known: [results[0]],
    added: [results[1]],
    stale: [results[2]],
  });
  expect(asEntries(sorted.added)).toBe(
    'b.ts:\n  - line: line 1\n    was: x\n    became: y\n    why: ""\n',
  );
});
