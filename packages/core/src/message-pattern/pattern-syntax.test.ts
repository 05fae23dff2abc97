import { expect, it } from "vitest";
import { readPattern } from "./pattern-syntax.ts";

it("resolves what one engine may read differently from another", () => {
  expect(engineText("(?P<name>a)(?<name>b)")).toBe("(a)(b)");
  expect(engineText("(?i)x(?-i:y)")).toBe("(?-i)(?i:x)(?:y)");
  expect(engineText("(?m)^a$(?-m)^a$")).toBe("(?-i)(?m:^)a(?m:$)(?-i)^a$");
  expect(engineText("(?s).(?-s).")).toBe("(?-i)(?s:.)(?-i).");
  expect(engineText("\\Q.*\\E\\x{41}\\101")).toBe("(?-i)\\x{2e}\\x{2a}AA");
  expect(engineText("[[:digit:]x-z]|\\PL*?")).toMatch(/^\[0-9x-z\]\|\[\\x\{0\}-/);
});

it("keeps two repeats apart that are none of one another", () => {
  expect(engineText("a*(?i)*")).toBe("a*(?-i)*");
  expect(engineText("a*\\Q\\E*")).toBe("a*(?-i)*");
});

it("writes surrogates as numbers, so that they do not pair up", () => {
  expect(engineText("[\\x{D83D}\\x{DE00}]")).toBe("[\\x{d83d}\\x{de00}]");
});

it("refuses what it meets first", () => {
  expect(readPattern("a**\\8")).toMatchObject({
    message: "error parsing regexp: invalid nested repetition operator: `**`",
  });
  expect(readPattern("\\8a**")).toMatchObject({
    message: "error parsing regexp: invalid escape sequence: `\\8`",
  });
  expect(readPattern("(\\8")).toMatchObject({
    message: "error parsing regexp: invalid escape sequence: `\\8`",
  });
});

function engineText(pattern: string): string {
  const read = readPattern(pattern);
  return read.ok ? read.engineText : expect.fail(read.message);
}
