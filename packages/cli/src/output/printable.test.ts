import { describe, expect, it } from "vitest";
import { printable, shortened } from "./printable.ts";

describe("printable", () => {
  it("escapes what would move the cursor, forge a line or turn the text around", () => {
    expect(printable("a\n\u001b[2J\u202e\ud800")).toBe("a\\u000a\\u001b[2J\\u202e\\ud800");
    expect(printable("└── é 名")).toBe("└── é 名");
  });
});

describe("shortened", () => {
  it("cuts what is longer, and marks it", () => {
    expect(shortened("12345", 5)).toBe("12345");
    expect(shortened("123456", 5)).toBe("12345…");
  });
});
