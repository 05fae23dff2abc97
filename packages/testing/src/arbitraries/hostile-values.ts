// Unvalidated values, for tests that functions never throw.
import fc from "fast-check";

/** Generates values that code often does not expect, both JSON and the results of clients that parse JSON. */
export function hostileValues(): fc.Arbitrary<unknown> {
  return fc.oneof(
    { arbitrary: fc.constantFrom(...commonHostileValues), weight: 3 },
    { arbitrary: fc.constantFrom(...commonHostileValues).map((value) => [value]), weight: 1 },
    { arbitrary: fc.jsonValue({ maxDepth: 2 }), weight: 1 },
  );
}

class ClientObject {
  readonly name = "train";
  readonly labels = null;
}

/** Values that every test should include. The other arbitraries use them, too. */
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
  new ClientObject(),
  Object.create(null),
];

/** Returns a value with 30,000 levels, as `JSON.parse` creates it. */
function createNestedObject(open: string, close: string): object {
  const levels = 30_000;
  const value = JSON.parse(`${open.repeat(levels)}[]${close.repeat(levels)}`) as object;
  // Without its own text, printing the counterexample of a failing property would overflow the stack.
  return Object.defineProperty(value, fc.toStringMethod, {
    value: () => `JSON.parse(${JSON.stringify(open)}.repeat(${levels}) + ...)`,
  });
}

/**
 * Values that break code that does not check types: objects without a string or number conversion, values nested deeper
 * than the stack, numbers outside int64, and names that JavaScript objects inherit.
 */
export const unusableValues: readonly unknown[] = [
  { toString: 1, valueOf: null },
  { toString: null, valueOf: null, toJSON: 1, constructor: null, hasOwnProperty: 1, length: -1 },
  [{ toString: 1, valueOf: null }],
  Object.assign(Object.create(null), { name: "train" }),
  JSON.parse('{ "__proto__": { "toString": 1 }, "constructor": "x", "toString": "y" }'),
  { "\ud800": "\udfff", "\u009b": "\u202e" },
  createNestedObject('{"a":', "}"),
  createNestedObject("[", "]"),
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
 * Generates {@link corrupted} values, and values in which all fields of one name or all elements of one list are
 * unusable. The result does not depend on which field the code reads first.
 */
export function corruptedAtOneName(valid: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const places = fc.record({ atDepth: fc.constantFrom(2, 4, 8, 20), place: fc.nat() });
  const everywhere = fc
    .tuple(valid, places, fc.constantFrom(...unusableValues))
    .map(([value, { atDepth, place }, part]) => {
      const path = getPath(value, place % countParts(value, atDepth), atDepth);
      return replaceEvery(value, path, part);
    });
  return fc.oneof(corrupted(valid), everywhere);
}

/**
 * Yields the value once for each path, with another value at that path. All elements of a list count as one path.
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
    yield [place, replaceEvery(value, path, part)];
  }
}

/** Yields the paths of a value and its parts, with `*` for the elements of a list. */
function* pathsIn(value: unknown, path: readonly string[] = []): Generator<readonly string[]> {
  yield path;
  if (typeof value !== "object" || value === null) return;
  for (const [name, part] of Object.entries(value)) {
    yield* pathsIn(part, [...path, Array.isArray(value) ? "*" : name]);
  }
}

/** Returns the value with another part at a path, in all elements of the lists on the path. */
function replaceEvery(value: unknown, path: readonly string[], part: unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return part;
  if (Array.isArray(value)) return value.map((element) => replaceEvery(element, rest, part));
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return value;
  const members = Object.entries(value).map(([own, member]) => [
    own,
    own === name ? replaceEvery(member, rest, part) : member,
  ]);
  return Object.fromEntries(members);
}

/**
 * Generates valid values in which one or two fields, at any depth, are missing or hostile. Some values are fully valid,
 * and some are fully hostile.
 */
export function corrupted(valid: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const places = fc.record({ atDepth: fc.constantFrom(1, 2, 4, 20), place: fc.nat() });
  const parts = fc.option(hostileValues(), { nil: REMOVED });
  return fc
    .tuple(valid, fc.array(fc.tuple(places, parts), { maxLength: 2 }))
    .map(([value, breaks]) =>
      breaks.reduce<unknown>((whole, [{ atDepth, place }, part]) => {
        const path = getPath(whole, place % countParts(whole, atDepth), atDepth);
        return replaceAt(whole, path, part);
      }, value),
    );
}

const REMOVED = Symbol("a member that is not there");

/** Returns the number of parts of a value down to a depth, including the value itself. */
function countParts(value: unknown, depth: number): number {
  if (depth === 0 || typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce((sum, part) => sum + countParts(part, depth - 1), 1);
}

/** Returns the path of a part by its index. A value comes before its fields. */
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

function replaceAt(value: unknown, path: readonly string[], part: unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return part === REMOVED ? undefined : part;
  const members = Object.entries(value as object).flatMap(([own, member]) => {
    if (own !== name) return [[own, member]];
    return rest.length === 0 && part === REMOVED ? [] : [[own, replaceAt(member, rest, part)]];
  });
  return Array.isArray(value) ? members.map(([, element]) => element) : Object.fromEntries(members);
}
