import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isInt32, MAX_INT32, MIN_INT32, toInt32 } from "./int32.ts";

describe("isInt32", () => {
  it.each([0, -0, 1, -1, MAX_INT32, MIN_INT32, 1e9])("holds for the integer %d", (value) => {
    expect(isInt32(value)).toBe(true);
  });

  it.each([MAX_INT32 + 1, MIN_INT32 - 1, 0.5, 1e300, Number.NaN, Number.POSITIVE_INFINITY])(
    "does not hold for %d",
    (value) => {
      expect(isInt32(value)).toBe(false);
    },
  );

  it.each([["1"], [null], [undefined], [true], [[1]], [{}], [1n]])(
    "does not hold for %o, which is no number",
    (value) => {
      expect(isInt32(value)).toBe(false);
    },
  );
});

describe("toInt32", () => {
  it("goes on at the other end beyond the largest and the smallest counter", () => {
    expect(toInt32(MAX_INT32 + 1)).toBe(MIN_INT32);
    expect(toInt32(MIN_INT32 - 1)).toBe(MAX_INT32);
    expect(toInt32(-0)).toBe(0);
  });

  it("agrees with exact integers cut to 32 bits", () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (value) => {
        expect(toInt32(value)).toBe(Number(BigInt.asIntN(32, BigInt(value))));
      }),
    );
  });

  it("leaves what a counter can hold as it is", () => {
    fc.assert(fc.property(fc.integer(), (value) => toInt32(value) === value && isInt32(value)));
  });
});
