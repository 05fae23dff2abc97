import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  formatInt64,
  incrementInt32,
  isInt32,
  isInt64,
  MAX_INT32,
  MIN_INT32,
  toInt32,
} from "./integers.ts";

describe("isInt32", () => {
  it.each([0, -0, 1, -1, MAX_INT32, MIN_INT32, 1e9])("isInt32 returns true for %d", (value) => {
    expect(isInt32(value)).toBe(true);
  });

  it.each([MAX_INT32 + 1, MIN_INT32 - 1, 0.5, 1e300, Number.NaN, Number.POSITIVE_INFINITY])(
    "isInt32 returns false for %d",
    (value) => {
      expect(isInt32(value)).toBe(false);
    },
  );

  it.each([["1"], [null], [undefined], [true], [[1]], [{}], [1n]])(
    "isInt32 returns false for %o, which is not a number",
    (value) => {
      expect(isInt32(value)).toBe(false);
    },
  );
});

describe("toInt32", () => {
  it("toInt32 wraps around beyond the largest and the smallest int32", () => {
    expect(toInt32(MAX_INT32 + 1)).toBe(MIN_INT32);
    expect(toInt32(MIN_INT32 - 1)).toBe(MAX_INT32);
    expect(toInt32(-0)).toBe(0);
  });

  it("toInt32 agrees with exact integers modulo 32 bits", () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (value) => {
        expect(toInt32(value)).toBe(Number(BigInt.asIntN(32, BigInt(value))));
      }),
    );
  });

  it("toInt32 does not change an int32", () => {
    fc.assert(fc.property(fc.integer(), (value) => toInt32(value) === value && isInt32(value)));
  });
});

describe("incrementInt32", () => {
  it("incrementInt32 stops at the largest int32", () => {
    expect(incrementInt32(MIN_INT32)).toBe(MIN_INT32 + 1);
    expect(incrementInt32(MAX_INT32 - 1)).toBe(MAX_INT32);
    expect(incrementInt32(MAX_INT32)).toBe(MAX_INT32);
    expect(incrementInt32(MAX_INT32 + 9)).toBe(MAX_INT32 + 9);
  });
});

describe("isInt64", () => {
  it.each([0, -0, 1.0, 2 ** 53, 2 ** 63, -(2 ** 63)])("isInt64 returns true for %d", (value) => {
    expect(isInt64(value)).toBe(true);
  });

  it.each([[0.5], [2 ** 63 + 2048], [1e300], [Number.NaN], ["1"], [null], [1n]])(
    "isInt64 returns false for %o",
    (value) => {
      expect(isInt64(value)).toBe(false);
    },
  );
});

describe("formatInt64", () => {
  it.each([
    [0, "0"],
    [-7, "-7"],
    [2 ** 53 + 2, "9007199254740994"],
    [1e18, "1000000000000000000"],
    [2 ** 63, "9223372036854775807"],
    [-(2 ** 63), "-9223372036854775808"],
  ])("formatInt64 prints all digits of %d", (value, text) => {
    expect(formatInt64(value)).toBe(text);
  });
});
