import { describe, expect, it } from "vitest";
import { wrapLine } from "./wrap.ts";

describe("wrapLine", () => {
  it("a line wraps at spaces, and the following lines are indented", () => {
    const line = `    └── ${"word ".repeat(12).trim()}`;
    const lines = wrapLine(line, 40);
    expect(lines).toEqual([
      "    └── word word word word word word",
      "          word word word word word word",
    ]);
    for (const one of lines) expect(one.length).toBeLessThanOrEqual(40);
  });

  it("a line is not wrapped without a width, and a long word is not divided", () => {
    const line = `see ${"x".repeat(100)} now`;
    expect(wrapLine(line, undefined)).toEqual([line]);
    expect(wrapLine(line, 50)).toEqual(["see", `  ${"x".repeat(100)}`, "  now"]);
  });

  it("a very narrow terminal still shows words side by side", () => {
    expect(wrapLine("one two three four five", 5)).toEqual(["one two three four five"]);
  });
});
