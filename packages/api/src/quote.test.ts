import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { goQuote } from "./quote.ts";
import { printableInGo } from "./testdata/printable-in-go.ts";

describe("quote", () => {
  // The right column shows the text that Go's strconv.Quote prints.
  it.each([
    ["", '""'],
    ["train-workers-0", '"train-workers-0"'],
    ['say "hi"', '"say \\"hi\\""'],
    ["C:\\temp", '"C:\\\\temp"'],
    ["'single' and `back`", "\"'single' and `back`\""],
    ["\u0007\b\f\n\r\t\v", '"\\a\\b\\f\\n\\r\\t\\v"'],
    ["\0\u001b\u007f", '"\\x00\\x1b\\x7f"'],
    ["\u0080\u009f", '"\\u0080\\u009f"'],
    ["no\u00a0break, \u2003 wide, \u2028 line", '"no\\u00a0break, \\u2003 wide, \\u2028 line"'],
    [
      "soft\u00adhyphen, \u200d joiner, \ufeff mark",
      '"soft\\u00adhyphen, \\u200d joiner, \\ufeff mark"',
    ],
    ["e\u0301 and \u0e33 stay", '"e\u0301 and \u0e33 stay"'],
    ["日本語, Ünï, ½ €", '"日本語, Ünï, ½ €"'],
    ["😀", '"😀"'],
    ["private \ue000 and \u{f0000}", '"private \\ue000 and \\U000f0000"'],
    ["unassigned \u0378 and \u{e0080}", '"unassigned \\u0378 and \\U000e0080"'],
    ["tag \u{e0001}, last \u{10ffff}", '"tag \\U000e0001, last \\U0010ffff"'],
    ["noncharacter \uffff", '"noncharacter \\uffff"'],
    ["replacement \ufffd", '"replacement \ufffd"'],
    ["newer than Go \u{1fae9}", '"newer than Go \\U0001fae9"'],
  ])("quote prints %j as Go does", (text, quoted) => {
    expect(goQuote(text)).toBe(quoted);
  });

  it("quote escapes exactly the characters that Go escapes, for any Unicode version of the runtime", () => {
    const printable = codePointsIn(printableInGo);
    const different: string[] = [];
    for (let code = 0; code <= 0x10ffff; code += emptyPlanes(code) ? 101 : 1) {
      if (code >= 0xd800 && code < 0xe000) continue; // Text on the wire never contains half a character.
      const character = String.fromCodePoint(code);
      const unescaped = goQuote(character) === `"${character}"`;
      if (unescaped !== (printable.has(code) && character !== '"' && character !== "\\")) {
        different.push(code.toString(16));
      }
    }
    expect(different).toEqual([]);
  });

  it("quote prints a lone surrogate as the replacement character", () => {
    expect(goQuote("a\ud800b")).toBe('"a\ufffdb"');
    expect(goQuote("\udc00\ud800")).toBe('"\ufffd\ufffd"');
  });

  it("quote prints no invisible character, and its output can be parsed", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const quoted = goQuote(text);
        expect(quoted).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
        expect(unquote(quoted)).toBe(text.toWellFormed());
      }),
    );
  });
});

/** The code points of ranges like `20-7e a1-ac 38c`. */
function codePointsIn(ranges: string): ReadonlySet<number> {
  const codePoints = new Set<number>();
  for (const range of ranges.trim().split(/\s+/)) {
    const [first = "", last = first] = range.split("-");
    for (let code = parseInt(first, 16); code <= parseInt(last, 16); code += 1) {
      codePoints.add(code);
    }
  }
  return codePoints;
}

/** Planes 4 to 13 and the private planes have no printable character, so samples are enough. */
function emptyPlanes(code: number): boolean {
  return (code >= 0x40000 && code < 0xe0000) || code >= 0xf0000;
}

/** Returns the text of a quoted text. */
function unquote(quoted: string): string {
  const short: Record<string, string> = {
    a: "\u0007",
    b: "\b",
    f: "\f",
    n: "\n",
    r: "\r",
    t: "\t",
    v: "\v",
  };
  return quoted
    .slice(1, -1)
    .replace(/\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|U([0-9a-f]{8})|(.))/g, (_, x, u, U, one) =>
      one === undefined ? String.fromCodePoint(parseInt(x ?? u ?? U, 16)) : (short[one] ?? one),
    );
}
