import { describe, expect, it } from "vitest";
import { escapeLine, truncate, truncateMiddle } from "./escape.ts";

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

describe("truncateMiddle", () => {
  it("truncateMiddle keeps the start and the end of long text", () => {
    expect(truncateMiddle("123456", 6)).toBe("123456");
    expect(truncateMiddle("1234567", 6)).toBe("1234…67");
  });
});
