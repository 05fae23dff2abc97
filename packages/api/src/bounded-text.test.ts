import { describe, expect, it } from "vitest";
import {
  shortenRepeatedValue,
  truncateList,
  truncateQuoted,
  truncateText,
} from "./bounded-text.ts";
import { invalid } from "./field-error.ts";
import { renderJsonList } from "./typed/render.ts";
import { byteLength } from "./utf8.ts";

const KIB = 1024;
const brackets = ["[", ",", "]"] as const;

describe("a text that is shown", () => {
  it("truncateText returns a short text unchanged", () => {
    expect(truncateText("aéé", 5)).toBe("aéé");
    expect(truncateText("", 0)).toBe("");
  });

  it("truncateText does not split characters", () => {
    expect(truncateText("aéé", 4)).toBe("aé…");
    expect(truncateText("a😀", 4)).toBe("a…");
    expect(truncateText("x".repeat(2 ** 20), 10)).toBe("xxxxxxxxxx…");
  });
});

describe("a quoted text", () => {
  it("a quoted text includes the number of omitted bytes", () => {
    const [, start = "", more] =
      /^"(x+)… \((\d+) more\)$/.exec(truncateQuoted("x".repeat(100_000))) ?? [];
    expect(start.length).toBeGreaterThan(16_000);
    expect(start.length + Number(more)).toBe(100_000);
  });

  it("the escapes of a quoted text count toward its length", () => {
    for (const text of ["\u0001".repeat(16_000), "é".repeat(16_000), '"'.repeat(16_000)]) {
      const shown = truncateQuoted(text);
      const more = Number(/… \((\d+) more\)$/.exec(shown)?.[1]);
      expect(byteLength(shown)).toBeLessThanOrEqual(16 * KIB);
      expect(byteLength(shown)).toBeGreaterThan(15 * KIB);
      expect(more).toBeGreaterThan(0);
      expect(more).toBeLessThan(16_000);
    }
  });
});

describe("a list that is shown", () => {
  it("truncateList states the number of omitted elements", () => {
    const elements = Array.from({ length: 10_000 }, () => "abc");
    const shown = truncateList(elements, (element) => element, brackets);
    expect(shown.startsWith("[abc,abc,")).toBe(true);
    expect(shown.endsWith("… (5912 more)")).toBe(true);
    expect(byteLength(shown)).toBeLessThanOrEqual(16 * KIB);
  });

  it("a truncated list does not evaluate the omitted elements", () => {
    let callCount = 0;
    const formatItem = () => {
      callCount += 1;
      return "x".repeat(KIB);
    };
    truncateList(Array(10_000).fill(0), formatItem, brackets);
    expect(callCount).toBe(16);
  });

  it("truncateList limits the length as JSON", () => {
    const list = Array.from({ length: 10_000 }, (_, index) => ({ name: `w-${index}` }));
    const text = renderJsonList(list, "DependsOn");
    expect(text).toMatch(/… \(\d+ more\)$/);
    expect(byteLength(text)).toBeLessThanOrEqual(16 * KIB);
  });
});

it("a field error has a bounded length", () => {
  const { body } = invalid("a", null, "y".repeat(2 ** 20), "x".repeat(2 ** 20));
  expect(body).toMatch(/^Invalid value: x{16384}…: y{8192}…$/);
});

it("a repeated value is quoted as often as it fits, and then described by its type", () => {
  const short = shortenRepeatedValue(() => "x".repeat(8 * KIB));
  expect([short(), short(), short()].map(({ length }) => length)).toEqual([8192, 8192, 7]);
  const long = shortenRepeatedValue(() => "x".repeat(20 * KIB));
  expect([long().length, long(), long()]).toEqual([20 * KIB, '"array"', '"array"']);
});
