import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../testing/src/testing/runs.ts";
import { escapeUnprintable } from "./escape-unprintable.ts";

describe("escapeUnprintable", () => {
  it.each([
    ["a\n\u001b[2J\u007f", "a\\u000a\\u001b[2J\\u007f"],
    ["\u0085\u009b1m", "\\u0085\\u009b1m"],
    ["\u00ad\u061c\u200b\u202e\u2066\ufeff", "\\u00ad\\u061c\\u200b\\u202e\\u2066\\ufeff"],
    ["\u2028\u2029", "\\u2028\\u2029"],
    ["\ud800 \udfff", "\\ud800 \\udfff"],
    ["\u{e0001}", "\\udb40\\udc01"],
    ["└── é 名 🙂", "└── é 名 🙂"],
  ])("escapeUnprintable escapes the control characters of terminals in %j", (text, expected) => {
    expect(escapeUnprintable(text)).toBe(expected);
  });

  it("escapeUnprintable keeps the given characters", () => {
    expect(escapeUnprintable("a\n\tb", "\n")).toBe("a\n\\u0009b");
  });

  it("escapeUnprintable does not change the value of JSON", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(JSON.parse(escapeUnprintable(JSON.stringify(text)))).toBe(text);
      }),
      { numRuns: runs(50) },
    );
  });
});
