// Values that no server has checked, for tests that everything is answered and nothing throws.
import fc from "fast-check";

/** Values that code forgets about: JSON and what clients make of JSON. */
export function hostileValues(): fc.Arbitrary<unknown> {
  return fc.oneof(
    { arbitrary: fc.constantFrom(...classics), weight: 3 },
    { arbitrary: fc.constantFrom(...classics).map((value) => [value]), weight: 1 },
    { arbitrary: fc.jsonValue({ maxDepth: 2 }), weight: 1 },
  );
}

class FromAClient {
  readonly name = "train";
  readonly labels = null;
}

/** The ones that every test should meet; the other arbitraries draw from them as well. */
export const classics: readonly unknown[] = [
  undefined,
  null,
  true,
  0,
  -1,
  1.5,
  1e21,
  Number.NaN,
  2 ** 31,
  "",
  "train",
  "__proto__",
  "\ud800",
  [],
  {},
  JSON.parse('{ "__proto__": { "name": "train" }, "constructor": 5 }'),
  { toString: 1, valueOf: 1 },
  { length: 3 },
  { kind: "PodList", items: null },
  new Date("2026-02-07T06:56:19Z"),
  new Date(Number.NaN),
  new FromAClient(),
  Object.create(null),
];

/**
 * Values in order but for one or two of their members, at any depth, which are gone or hostile; some are in order
 * altogether, and some are hostile altogether.
 */
export function broken(valid: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const places = fc.record({ atDepth: fc.constantFrom(1, 2, 4, 20), place: fc.nat() });
  const parts = fc.option(hostileValues(), { nil: gone });
  return fc
    .tuple(valid, fc.array(fc.tuple(places, parts), { maxLength: 2 }))
    .map(([value, breaks]) =>
      breaks.reduce<unknown>((whole, [{ atDepth, place }, part]) => {
        const path = pathOf(whole, place % countParts(whole, atDepth), atDepth);
        return replaced(whole, path, part);
      }, value),
    );
}

const gone = Symbol("a member that is not there");

/** How many parts a value has down to a depth, itself included. */
function countParts(value: unknown, depth: number): number {
  if (depth === 0 || typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce((sum, part) => sum + countParts(part, depth - 1), 1);
}

/** The path of one part by its place, a value before its members. */
function pathOf(value: unknown, place: number, depth: number): readonly string[] {
  if (place === 0 || typeof value !== "object" || value === null) return [];
  let before = 1;
  for (const [name, part] of Object.entries(value)) {
    const count = countParts(part, depth - 1);
    if (place < before + count) return [name, ...pathOf(part, place - before, depth - 1)];
    before += count;
  }
  return [];
}

function replaced(value: unknown, path: readonly string[], part: unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return part === gone ? undefined : part;
  const members = Object.entries(value as object).flatMap(([own, member]) => {
    if (own !== name) return [[own, member]];
    return rest.length === 0 && part === gone ? [] : [[own, replaced(member, rest, part)]];
  });
  return Array.isArray(value) ? members.map(([, element]) => element) : Object.fromEntries(members);
}
