import { describe, expect, it } from "vitest";
import { resolvePlainScalar } from "./plain-scalar.ts";

describe("resolvePlainScalar", () => {
  it.each([
    ["y", true],
    ["On", true],
    ["TRUE", true],
    ["n", false],
    ["off", false],
    ["", null],
    ["~", null],
    ["Null", null],
    ["0", 0],
    ["-12", -12],
    ["+12", 12],
    ["012", 10],
    ["0o17", 15],
    ["0x1F", 31],
    ["-0x1f", -31],
    ["0b101", 5],
    ["-0b101", -5],
    ["1_000", 1000],
    ["08", 8],
    ["1e3", 1000],
    ["12e03", 12000],
    ["1.", 1],
    ["-.5", -0.5],
    [".5e1", 5],
    ["9007199254740991", 9007199254740991],
    ["9007199254740993", 9007199254740993n],
    ["-0x8000000000000000", -9223372036854775808n],
    [".inf", Number.POSITIVE_INFINITY],
    ["-.Inf", Number.NEGATIVE_INFINITY],
    [".nan", Number.NaN],
  ])("resolvePlainScalar resolves %s to %s, as kubectl does", (text, value) => {
    expect(resolvePlainScalar(text)).toBe(value);
  });

  it.each([
    ["e2"],
    ["1e3Mi"],
    ["500m"],
    ["2026-02-07"],
    ["2026-02-07T06:56:19Z"],
    ["12:30:45"],
    ["tRUE"],
    [".5_0"],
    ["."],
    ["-"],
    ["+"],
    ["0x"],
    ["0xg"],
    ["1e400"],
    ["1.2.3"],
    ["_1"],
    ["١٢"],
  ])("resolvePlainScalar returns %s as a string", (text) => {
    expect(resolvePlainScalar(text)).toBe(text);
  });
});
