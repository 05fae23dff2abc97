import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findDifferences } from "./compare.ts";

/** Formats every difference as the report prints it. */
const formatDifferences = (expected: unknown, actual: unknown) =>
  findDifferences(expected, actual).map(({ path, text }) => `${path}: ${text}`);

describe("a difference", () => {
  it("a difference names its path, with quotes around keys that are not identifiers", () => {
    const expected = { jobs: [{ metadata: { labels: { "a/b": "1", plain: "1" } } }] };
    const actual = { jobs: [{ metadata: { labels: { "a/b": "2", plain: "3" } } }] };
    expect(formatDifferences(expected, actual)).toEqual([
      'output.jobs[0].metadata.labels["a/b"]: expected "1", got "2"',
      'output.jobs[0].metadata.labels.plain: expected "1", got "3"',
    ]);
  });

  it("a member that only one side has is a difference", () => {
    expect(formatDifferences({ a: 1 }, { b: { c: 2 } })).toEqual([
      "output.a: expected 1, got nothing",
      'output.b: expected nothing, got {"c":2}',
    ]);
  });

  it("lists of different length differ in length first, then in their elements", () => {
    expect(formatDifferences(["a", "b"], ["a", "c", "d"])).toEqual([
      "output: expected 2 elements, got 3 elements",
      'output[1]: expected "b", got "c"',
      'output[2]: expected nothing, got "d"',
    ]);
  });

  it.each([
    [1, "1", 'output: expected 1, got "1"'],
    [null, 0, "output: expected null, got 0"],
    [[], {}, "output: expected [], got {}"],
    [{}, null, "output: expected {}, got null"],
    [1, Number.NaN, "output: expected 1, got NaN"],
    [{}, new Date(0), "output: expected {}, got an instance of Date"],
    [1, 1n, "output: expected 1, got a bigint"],
  ])("%j and %o are different", (expected, actual, text) => {
    expect(formatDifferences(expected, actual)).toEqual([text]);
  });

  it("inherited members are ignored", () => {
    expect(formatDifferences({ toString: 1 }, {})).toEqual([
      "output.toString: expected 1, got nothing",
    ]);
    expect(formatDifferences({}, JSON.parse('{"__proto__":1}'))).toEqual([
      "output.__proto__: expected nothing, got 1",
    ]);
  });

  it("a difference shows long texts around their first difference and truncates long values", () => {
    const same = "s".repeat(500);
    expect(formatDifferences(`${same}left${same}`, `${same}right`)).toEqual([
      `output: expected …"${"s".repeat(60)}left${"s".repeat(95)}…, got …"${"s".repeat(60)}right"`,
    ]);
    expect(formatDifferences({ a: same }, {})).toEqual([
      `output.a: expected "${"s".repeat(159)}…, got nothing`,
    ]);
  });
});

describe("deeply nested values", () => {
  const createNestedValue = (innermost: unknown) => {
    let value = innermost;
    for (let depth = 0; depth < 200_000; depth += 1)
      value = depth % 2 === 0 ? [value] : { a: value };
    return value;
  };

  it("deeply nested values are compared completely", () => {
    expect(formatDifferences(createNestedValue(1), createNestedValue(1))).toEqual([]);
    const [difference] = findDifferences(createNestedValue(1), createNestedValue(2));
    expect(difference?.path.length).toBe("output".length + 100_000 * "[0].a".length);
    expect(difference?.text).toBe("expected 1, got 2");
  });

  it("lists longer than the maximum number of arguments are compared", () => {
    const long = Array.from({ length: 300_000 }, (_, index) => index);
    expect(formatDifferences(long, long.with(299_999, 0))).toEqual([
      "output[299999]: expected 299999, got 0",
    ]);
  });

  it("values that cannot be printed are named", () => {
    expect(formatDifferences(createNestedValue(1), 1)).toEqual([
      "output: expected a value that cannot be printed, got 1",
    ]);
  });
});

describe("equal values", () => {
  it("the order of members and undefined members are ignored", () => {
    expect(formatDifferences({ a: 1, b: 2 }, { b: 2, a: 1, c: undefined })).toEqual([]);
  });

  it("a JSON value equals its copy, and any different value has a difference", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        expect(findDifferences(one, JSON.parse(JSON.stringify(one)))).toEqual([]);
        const equal = toSortedJson(one) === toSortedJson(other);
        expect(findDifferences(one, other).length === 0).toBe(equal);
        expect(findDifferences(other, one).length === 0).toBe(equal);
      }),
    );
  });
});

/** Returns JSON with sorted members, as a second way to compare values. */
function toSortedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toSortedJson).join()}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([key, content]) => `${JSON.stringify(key)}:${toSortedJson(content)}`).join()}}`;
}
