import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../testing/src/testing/runs.ts";
import { parseIntegerLabel } from "./integer-label.ts";
import { goQuote } from "./quote.ts";

describe("parseIntegerLabel", () => {
  it.each([
    ["0", 0],
    ["-0", 0],
    ["+07", 7],
    ["007", 7],
    ["-12", -12],
    ["2147483648", 2_147_483_648],
    ["999999999999999", 999_999_999_999_999],
    ["00000000000000000000000000001", 1],
    ["-00000000000000000000000000000", 0],
  ])("parseIntegerLabel parses %j as a number", (text, value) => {
    expect(parseIntegerLabel(text)).toEqual({ ok: true, value, decimal: String(value) });
  });

  it("parseIntegerLabel returns the exact integer and the nearest number", () => {
    expect(parseIntegerLabel("9007199254740993")).toEqual({
      ok: true,
      value: 9_007_199_254_740_992,
      decimal: "9007199254740993",
    });
    expect(parseIntegerLabel("-9223372036854775808")).toMatchObject({
      ok: true,
      decimal: "-9223372036854775808",
    });
  });

  // Go returns the same results.
  it.each([
    "",
    "+",
    "-",
    "--1",
    "+-1",
    "1_0",
    " 1",
    "1 ",
    "1\n",
    "1.0",
    "1e3",
    "0x1f",
    "٣",
    "1\u00a0",
    "1,000",
    "18446744073709551615x",
    "9223372036854775808x",
  ])("parseIntegerLabel rejects %j", (text) => {
    expect(parseIntegerLabel(text)).toEqual({
      ok: false,
      message: `strconv.Atoi: parsing ${goQuote(text)}: invalid syntax`,
    });
  });

  it.each([
    "9223372036854775808",
    "-9223372036854775809",
    "18446744073709551616",
    "99999999999999999999x",
    "18446744073709551616x",
    "-000000018446744073709551616 ",
    "9".repeat(100_000),
  ])("parseIntegerLabel rejects a value beyond 64 bits without reading the rest", (text) => {
    expect(parseIntegerLabel(text)).toEqual({
      ok: false,
      message: `strconv.Atoi: parsing ${goQuote(text)}: value out of range`,
    });
  });

  it("parseIntegerLabel reads an absent or non-string label as empty text", () => {
    const empty = parseIntegerLabel("");
    expect(parseIntegerLabel(undefined)).toEqual(empty);
    expect(parseIntegerLabel(5 as never)).toEqual(empty);
    expect(parseIntegerLabel(null as never)).toEqual(empty);
    expect(parseIntegerLabel(["1234567890123456"] as never)).toEqual(empty);
  });

  it("parseIntegerLabel agrees with a slow implementation that reads digit by digit", () => {
    fc.assert(
      fc.property(integerLike(), (text) => {
        expect(parseIntegerLabel(text)).toEqual(slowParse(text));
      }),
      { numRuns: runs(1_000) },
    );
  });
});

/** Texts on both sides of every limit: signs, zeros, lengths, ends of the range, and invalid characters. */
function integerLike(): fc.Arbitrary<string> {
  const sign = fc.constantFrom("", "", "+", "-", "--");
  const zeros = fc.constantFrom("", "0", "0".repeat(20));
  const listNeighbors = (middle: bigint) =>
    fc.bigInt({ min: middle - 2n, max: middle + 2n }).map((value) => String(value));
  const digits = fc.oneof(
    fc.stringMatching(/^[0-9]{0,25}$/),
    listNeighbors(2n ** 63n),
    listNeighbors(2n ** 64n),
    listNeighbors(10n ** 15n),
  );
  const rest = fc.constantFrom("", "", "", "x", " ", "_1", "0", "\u0663");
  return fc.tuple(sign, zeros, digits, rest).map((parts) => parts.join(""));
}

function slowParse(text: string): ReturnType<typeof parseIntegerLabel> {
  const createRejection = (why: string): ReturnType<typeof parseIntegerLabel> => ({
    ok: false,
    message: `strconv.Atoi: parsing ${goQuote(text)}: ${why}`,
  });
  const unsigned = /^[+-]/.test(text) ? text.slice(1) : text;
  if (unsigned === "") return createRejection("invalid syntax");
  let magnitude = 0n;
  for (const character of unsigned) {
    if (character < "0" || character > "9") return createRejection("invalid syntax");
    magnitude = magnitude * 10n + BigInt(character);
    if (magnitude >= 2n ** 64n) return createRejection("value out of range");
  }
  const value = text.startsWith("-") ? -magnitude : magnitude;
  if (value !== BigInt.asIntN(64, value)) return createRejection("value out of range");
  return { ok: true, value: Number(value), decimal: value.toString() };
}
