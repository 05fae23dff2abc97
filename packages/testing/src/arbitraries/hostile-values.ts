// Values that no server has checked, for tests that everything is answered and nothing throws.
import fc from "fast-check";

/** Values that code forgets about: JSON and what clients make of JSON. */
export function hostileValues(): fc.Arbitrary<unknown> {
  return fc.oneof(
    { arbitrary: fc.constantFrom(...commonHostileValues), weight: 3 },
    { arbitrary: fc.constantFrom(...commonHostileValues).map((value) => [value]), weight: 1 },
    { arbitrary: fc.jsonValue({ maxDepth: 2 }), weight: 1 },
  );
}

class FromAClient {
  readonly name = "train";
  readonly labels = null;
}

/** The ones that every test should meet; the other arbitraries draw from them as well. */
export const commonHostileValues: readonly unknown[] = [
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

/** A value nested 30,000 levels deep, as `JSON.parse` makes it. */
function nested(open: string, close: string): object {
  const levels = 30_000;
  const value = JSON.parse(`${open.repeat(levels)}[]${close.repeat(levels)}`) as object;
  // Without its own text, a failing property would exhaust the stack when it prints its counterexample.
  return Object.defineProperty(value, fc.toStringMethod, {
    value: () => `JSON.parse(${JSON.stringify(open)}.repeat(${levels}) + ...)`,
  });
}

/**
 * Values that break code which uses a value before it knows the type: objects that become neither text nor a number,
 * values nested deeper than the stack, numbers where int64 has none, and names that objects of JavaScript inherit.
 */
export const unusableValues: readonly unknown[] = [
  { toString: 1, valueOf: null },
  { toString: null, valueOf: null, toJSON: 1, constructor: null, hasOwnProperty: 1, length: -1 },
  [{ toString: 1, valueOf: null }],
  Object.assign(Object.create(null), { name: "train" }),
  JSON.parse('{ "__proto__": { "toString": 1 }, "constructor": "x", "toString": "y" }'),
  { "\ud800": "\udfff", "\u009b": "\u202e" },
  nested('{"a":', "}"),
  nested("[", "]"),
  Object.assign([], { length: 3, 1: "train" }),
  "__proto__",
  "constructor",
  "9".repeat(400),
  "+275760-09-13T00:00:00.001Z",
  "9999-12-31T23:59:60Z",
  new Date(8.64e15),
  Number.NaN,
  Number.POSITIVE_INFINITY,
  -0,
  0.5,
  -(2 ** 63),
  1e300,
];

/**
 * Values that are {@link corrupted}, or whose members of one name, or all elements of one list, are the same unusable value:
 * so it does not matter which of them code reads first.
 */
export function corruptedAtOneName(valid: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const places = fc.record({ atDepth: fc.constantFrom(2, 4, 8, 20), place: fc.nat() });
  const everywhere = fc
    .tuple(valid, places, fc.constantFrom(...unusableValues))
    .map(([value, { atDepth, place }, part]) => {
      const path = getPath(value, place % countParts(value, atDepth), atDepth);
      return everyReplaced(value, path, part);
    });
  return fc.oneof(corrupted(valid), everywhere);
}

/**
 * A value once for each of its places, with another part there; what differs only in the elements of lists is one place.
 *
 * @example [...corruptEachField({ a: [1, 2] }, "x")] // => [["", "x"], ["a", { a: "x" }], ["a.*", { a: ["x", "x"] }]]
 */
export function* corruptEachField(
  value: unknown,
  part: unknown,
): Generator<readonly [place: string, spoiled: unknown]> {
  const seen = new Set<string>();
  for (const path of pathsIn(value)) {
    const place = path.join(".");
    if (seen.has(place)) continue;
    seen.add(place);
    yield [place, everyReplaced(value, path, part)];
  }
}

/** The path of a value and those of its parts, with `*` for the elements of a list. */
function* pathsIn(value: unknown, path: readonly string[] = []): Generator<readonly string[]> {
  yield path;
  if (typeof value !== "object" || value === null) return;
  for (const [name, part] of Object.entries(value)) {
    yield* pathsIn(part, [...path, Array.isArray(value) ? "*" : name]);
  }
}

/** The value with another one in a place, and in the same place of all elements of the lists on the way. */
function everyReplaced(value: unknown, path: readonly string[], part: unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return part;
  if (Array.isArray(value)) return value.map((element) => everyReplaced(element, rest, part));
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return value;
  const members = Object.entries(value).map(([own, member]) => [
    own,
    own === name ? everyReplaced(member, rest, part) : member,
  ]);
  return Object.fromEntries(members);
}

/**
 * Values in order but for one or two of their members, at any depth, which are gone or hostile; some are in order
 * altogether, and some are hostile altogether.
 */
export function corrupted(valid: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const places = fc.record({ atDepth: fc.constantFrom(1, 2, 4, 20), place: fc.nat() });
  const parts = fc.option(hostileValues(), { nil: gone });
  return fc
    .tuple(valid, fc.array(fc.tuple(places, parts), { maxLength: 2 }))
    .map(([value, breaks]) =>
      breaks.reduce<unknown>((whole, [{ atDepth, place }, part]) => {
        const path = getPath(whole, place % countParts(whole, atDepth), atDepth);
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
function getPath(value: unknown, place: number, depth: number): readonly string[] {
  if (place === 0 || typeof value !== "object" || value === null) return [];
  let before = 1;
  for (const [name, part] of Object.entries(value)) {
    const count = countParts(part, depth - 1);
    if (place < before + count) return [name, ...getPath(part, place - before, depth - 1)];
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
