import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeBase64, encodeBase64 } from "./base64.ts";

declare const Buffer: {
  from(text: string, encoding?: "utf8"): { toString(encoding: "base64"): string };
};

describe("encodeBase64", () => {
  it("encodeBase64 equals Node's base64 of the UTF-8 for every length and character", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(encodeBase64(text)).toBe(Buffer.from(text, "utf8").toString("base64"));
      }),
      { numRuns: 100 },
    );
    expect(encodeBase64("")).toBe("");
  });

  it("encodeBase64 replaces a lone surrogate", () => {
    expect(encodeBase64("\ud800")).toBe(Buffer.from("\ufffd").toString("base64"));
  });

  it("encodeBase64 encodes a megabyte", () => {
    const text = '{"op":"add"}'.repeat(100_000);
    expect(encodeBase64(text)).toBe(Buffer.from(text).toString("base64"));
  });
});

describe("decodeBase64", () => {
  it("decodeBase64 reverses encodeBase64", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        expect(decodeBase64(encodeBase64(text))).toBe(text);
      }),
    );
    expect(decodeBase64(encodeBase64("\ufeff{}"))).toBe("\ufeff{}");
  });

  it.each(["a", "ab", "abc", "ab=", "a===", "ab==ab==", " abcd", "ab-_", "abcd\n"])(
    "decodeBase64 rejects %j",
    (text) => {
      expect(decodeBase64(text)).toBeUndefined();
    },
  );
});
