import { describe, expect, it } from "vitest";
import { escapeLine, truncate } from "./escape.ts";

describe("escapeLine", () => {
  it("escapeLine escapes characters that move the cursor, forge a line or reverse the text", () => {
    expect(escapeLine("a\n\u001b[2J\u202e\ud800")).toBe("a\\u000a\\u001b[2J\\u202e\\ud800");
    expect(escapeLine("└── é 名")).toBe("└── é 名");
  });
});

describe("truncate", () => {
  it("truncate shortens long text and marks it", () => {
    expect(truncate("12345", 5)).toBe("12345");
    expect(truncate("123456", 5)).toBe("12345…");
  });
});
