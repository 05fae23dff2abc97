import { byteLength } from "@jobset-ts/api/text";
import { describe, expect, it } from "vitest";
import { badValueText, goJson, goValue } from "./go-text.ts";
import { parseGoLocalTime } from "./go-time.ts";

describe("goJson", () => {
  it("goJson sorts members by the bytes of their names and escapes HTML characters", () => {
    expect(goJson({ "\u{1f600}": 1, "\uff5e": [true, null], a: '<"&>\u2028' })).toBe(
      '{"a":"\\u003c\\"\\u0026\\u003e\\u2028","\uff5e":[true,null],"\u{1f600}":1}',
    );
  });

  it("goJson prints integers with all their digits", () => {
    expect(goJson([2 ** 63, -(2 ** 63), 2 ** 53, -0, 1e20, 1.5])).toBe(
      "[9223372036854775807,-9223372036854775808,9007199254740992,0,100000000000000000000,1.5]",
    );
  });

  it("goJson handles values deeper than the stack", () => {
    const deep = JSON.parse(`${"[".repeat(50_000)}${"]".repeat(50_000)}`);
    expect(goJson(deep)).toHaveLength(100_000);
  });
});

describe("goValue", () => {
  it.each([
    [1e20, "1e+20"],
    [1234567.5, "1.2345675e+06"],
    [0.0001, "0.0001"],
    [0.00001, "1e-05"],
    [123456.5, "123456.5"],
    [{ b: [1, "x"], a: null }, "map[a:<nil> b:[1 x]]"],
    [[], "[]"],
    [{}, "map[]"],
  ])("goValue prints %j as %s", (value, text) => {
    expect(goValue(value)).toBe(text);
  });
});

describe("badValueText", () => {
  it.each([
    ["a\n", '"a\\n"'],
    [-1e20, "-1e+20"],
    [5, "5"],
    [null, "null"],
    [false, "false"],
    [["<"], '["\\u003c"]'],
  ])("badValueText prints %j as %s", (value, text) => {
    expect(badValueText(value)).toBe(text);
  });
});

describe("parseGoLocalTime", () => {
  it.each([
    ["2026-01-02T3:04:05.25", { seconds: 1767323045, nanoseconds: 250000000 }],
    ["2026-13-02T03:04:05", 'parsing time "2026-13-02T03:04:05": month out of range'],
    ["2026-02-30T03:04:05", 'parsing time "2026-02-30T03:04:05": day out of range'],
    ["2026-01-02T03:04:05Z", 'parsing time "2026-01-02T03:04:05Z": extra text: "Z"'],
    [
      "2026-01-02 é",
      'parsing time "2026-01-02 \\xc3\\xa9" as "2006-01-02T15:04:05": cannot parse " \\xc3\\xa9" as "T"',
    ],
  ])("parseGoLocalTime reads %s", (text, result) => {
    expect(parseGoLocalTime(text)).toEqual(result);
  });
});

it("a long list in an error is truncated", () => {
  const list = Array.from({ length: 10_000 }, (_, index) => ({ name: `w-${index}` }));
  const text = badValueText(list);
  expect(text).toMatch(/… \(\d+ more\)$/);
  expect(byteLength(text)).toBeLessThanOrEqual(16 * 1024);
});
