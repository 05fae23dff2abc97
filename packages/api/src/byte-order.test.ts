import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareBytes } from "./byte-order.ts";

describe("compareBytes", () => {
  it("compareBytes sorts by code point, with characters beyond U+FFFF last", () => {
    expect(["b", "\u{1f600}", "a", "", "ab", "\uff5e", "B"].sort(compareBytes)).toEqual([
      "",
      "B",
      "a",
      "ab",
      "b",
      "\uff5e",
      "\u{1f600}",
    ]);
  });

  it("compareBytes agrees with the bytes of UTF-8", () => {
    const borders = [
      "a",
      "b",
      "\u007f",
      "\u0080",
      "\ud7ff",
      "\ue000",
      "\uffff",
      "\u{10000}",
      "\u{10ffff}",
    ];
    const text = fc.string({ unit: fc.constantFrom(...borders) });
    fc.assert(
      fc.property(text, text, (left, right) => {
        expect(Math.sign(compareBytes(left, right))).toBe(compareUtf8(left, right));
      }),
    );
  });
});

function compareUtf8(left: string, right: string): number {
  const [a, b] = [utf8(left), utf8(right)];
  for (let index = 0; index < Math.min(a.length, b.length); index += 1) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference !== 0) return Math.sign(difference);
  }
  return Math.sign(a.length - b.length);
}

function utf8(text: string): number[] {
  return encodeURIComponent(text)
    .split(/(%..|.)/)
    .filter((part) => part !== "")
    .map((part) =>
      part.startsWith("%") ? Number.parseInt(part.slice(1), 16) : part.charCodeAt(0),
    );
}
