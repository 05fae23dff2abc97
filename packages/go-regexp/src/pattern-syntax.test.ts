import { expect, it } from "vitest";
import { engineText } from "./engine-text.ts";
import { readPattern } from "./pattern-syntax.ts";

it("resolves what one engine may read differently from another", () => {
  expect(written("(?P<name>a)(?<name>b)")).toBe("(a)(b)");
  expect(written("(?i)x(?-i:y)")).toBe("(?i:x)(?:y)");
  expect(written("(?m)^a$(?-m)^a$")).toBe("(?m:^)a(?m:$)\\Aa\\z");
  expect(written("(?s).(?-s).")).toBe("[\\x{0}-\u{10ffff}][\\x{0}-\\x{9}\\x{b}-\u{10ffff}]");
  expect(written("\\Q.*\\E\\x{41}\\101")).toBe("\\x{2e}\\x{2a}AA");
  expect(written("[[:digit:]x-z]|\\PL*?")).toMatch(/^\[0-9x-z\]\|\[\\x\{0\}-.*\]\*$/u);
  expect(written("(?:a{2,}?|b{3}){2,4}c{1,}d{0,1}")).toBe("(?:a{2,}|b{3}){2,4}c+d?");
});

it("keeps two repeats of one operand apart", () => {
  expect(written("a*(?i)*")).toBe("a*(?-i)*");
  expect(written("a*\\Q\\E*")).toBe("a*(?-i)*");
  expect(written("(?:a)+(?i){2}(?s)?")).toBe("(?:a)+(?-i){2}(?-i)?");
});

it("writes surrogates as numbers, so that they do not pair up", () => {
  expect(written("[\\x{D83D}\\x{DE00}]")).toBe("[\\x{d83d}\\x{de00}]");
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

function written(pattern: string): string {
  const read = readPattern(pattern);
  return read.ok ? engineText(read.parts) : expect.fail(read.message);
}
