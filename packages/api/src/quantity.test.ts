import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  canonicalQuantity,
  deepEqualQuantities,
  equalQuantities,
  parseQuantity,
  type Quantity,
} from "./quantity.ts";

describe("canonicalQuantity", () => {
  // The right column shows the text that upstream's resource.Quantity writes.
  it.each([
    ["0.5", "500m"],
    ["1000m", "1"],
    ["1024Mi", "1Gi"],
    ["1.5Gi", "1536Mi"],
    ["1000k", "1M"],
    ["12e2", "1200"],
    ["1000E3", "1e6"],
    ["1e+5", "100e3"],
    ["1e-10", "1e-9"],
    ["3000000000n", "3"],
    ["0.1n", "1n"],
    ["-0.1n", "-1n"],
    ["0.1u", "100n"],
    ["1.0000000001Gi", "1073741824107374183n"],
    ["0.5Ki", "512"],
    ["0.1Ki", "102400m"],
    ["8192Pi", "9223372036854775807"],
    ["-10000000000Gi", "-9223372036854775807"],
    ["1.Pi", "1Pi"],
    ["000.0Ki", "0"],
    ["-0", "0"],
  ])("canonicalQuantity rewrites %s as %s", (written, canonical) => {
    expect(canonicalQuantity(written)).toBe(canonical);
  });

  it.each([
    "0",
    "1",
    "100k",
    "1.500",
    "+5",
    "05",
    "0000001",
    "1E3",
    "1e21",
    "-5Ki",
    "99Ti",
    "2048",
  ])("canonicalQuantity keeps %s as written", (written) => {
    expect(canonicalQuantity(written)).toBe(written);
  });

  it("canonicalQuantity treats a missing number as zero, as upstream does", () => {
    for (const written of ["k", "+", "-", ".", ".Ki", "-e5"]) {
      expect(canonicalQuantity(written)).toBe("0");
    }
    // Upstream searches for the number in these texts and finds none.
    for (const written of ["Pi", ".Ei", "e-10"]) {
      expect(canonicalQuantity(written)).toBeUndefined();
    }
  });

  it("canonicalQuantity omits a suffix beyond E, as upstream does", () => {
    expect(canonicalQuantity("1000E")).toBe("1");
  });

  it("canonicalQuantity reads a JSON number in JSON's notation", () => {
    expect([5, 1.5, 0.25, -0, 1000, 1e21].map(canonicalQuantity)).toEqual([
      "5",
      "1500m",
      "250m",
      "0",
      "1k",
      "1e+21",
    ]);
  });

  it("canonicalQuantity ignores spaces around the number, but not tabs", () => {
    expect(canonicalQuantity(" 1\u00a0")).toBe("1");
    expect(canonicalQuantity("\t1")).toBeUndefined();
  });

  it("canonicalQuantity is idempotent", () => {
    fc.assert(
      fc.property(quantityTexts(), (text) => {
        const canonical = canonicalQuantity(text);
        expect(canonicalQuantity(canonical)).toBe(canonical);
      }),
    );
  });

  it("canonicalQuantity keeps the value if a suffix can express it", () => {
    fc.assert(
      fc.property(quantityTexts(), (text) => {
        const value = quantity(text);
        expect(equalQuantities(quantity(value.text), value)).toBe(true);
      }),
    );
  });
});

describe("parseQuantity", () => {
  it.each([
    "",
    "one",
    "1 Gi",
    "1K",
    "1gi",
    "1i",
    "1e",
    "1e1.5",
    "0x1",
    "1,5",
    "１",
    "NaN",
    "null",
    "1e2147483648",
    "9".repeat(1025),
    Number.NaN,
    Number.POSITIVE_INFINITY,
    null,
    undefined,
    true,
    [],
    {},
    ["1"],
  ])("parseQuantity rejects %j", (value) => {
    expect(parseQuantity(value)).toEqual({
      ok: false,
      message: "must be a quantity such as 500m, 2 or 1.5Gi",
    });
  });

  it("parseQuantity returns the exact value", () => {
    expect(parseQuantity("1.5Gi")).toEqual({
      ok: true,
      value: { mantissa: 1_610_612_736n, exponent: 0, text: "1536Mi" },
    });
    expect(parseQuantity("-0.000001")).toEqual({
      ok: true,
      value: { mantissa: -1n, exponent: -6, text: "-1u" },
    });
    expect(parseQuantity("0k")).toEqual({
      ok: true,
      value: { mantissa: 0n, exponent: 0, text: "0" },
    });
  });

  it("parseQuantity is fast for any exponent and any length", () => {
    const huge = quantity("1e2147483647");
    const tiny = quantity("1e-2147483648");
    expect(tiny).toEqual({ mantissa: 1n, exponent: -9, text: "1e-9" });
    expect(equalQuantities(huge, tiny)).toBe(false);
    expect(parseQuantity("0".repeat(10_000_000)).ok).toBe(false);
    expect(parseQuantity(`1${" ".repeat(10_000_000)}1`).ok).toBe(false);
  });

  it("parseQuantity returns a result for every JSON value and every combination of quantity characters", () => {
    const scraps = fc.string({ unit: fc.constantFrom(..."0159.+-eEumkMGPi ", "\ud800", "\u0661") });
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), scraps), (value) => {
        expect(parseQuantity(value)).toEqual(parseQuantity(value));
      }),
    );
  });
});

describe("equalQuantities", () => {
  it("equalQuantities ignores the notation", () => {
    for (const [left, right] of [
      ["1", "1000m"],
      ["1Ki", "1024"],
      ["1e3", "1k"],
      ["0", "0Gi"],
      ["1.500", "1500m"],
    ] as const) {
      expect(equalQuantities(quantity(left), quantity(right))).toBe(true);
    }
  });

  it("equalQuantities agrees with integers in billionths", () => {
    fc.assert(
      fc.property(quantityTexts(), quantityTexts(), (first, second) => {
        const [left, right] = [quantity(first), quantity(second)];
        const difference = billionths(left) - billionths(right);
        expect(equalQuantities(left, right)).toBe(difference === 0n);
      }),
    );
  });
});

describe("deepEqualQuantities", () => {
  it.each([
    ["1Gi", "1Gi", true],
    ["8192Mi", "8Gi", true],
    ["9Ei", "10Ei", true],
    ["1024Mi", "1Gi", false],
    ["1000m", "1", false],
    ["1e3", "1k", false],
    ["0.5", "500m", false],
    ["0", "00", false],
    ["x", "x", false],
  ])("deepEqualQuantities compares %s and %s: %s", (left, right, alike) => {
    expect(deepEqualQuantities(left, right)).toBe(alike);
    expect(deepEqualQuantities(right, left)).toBe(alike);
  });

  it("deepEqualQuantities treats only equal values as equal", () => {
    fc.assert(
      fc.property(quantityTexts(), quantityTexts(), (left, right) => {
        expect(deepEqualQuantities(left, left)).toBe(true);
        if (deepEqualQuantities(left, right)) {
          expect(equalQuantities(quantity(left), quantity(right))).toBe(true);
        }
      }),
    );
  });
});

function quantity(written: unknown): Quantity {
  const parsed = parseQuantity(written);
  if (!parsed.ok) throw new Error(`${written} ${parsed.message}`);
  return parsed.value;
}

/** Quantities below 10^20, with up to nine decimal places and more. */
function quantityTexts(): fc.Arbitrary<string> {
  const digits = (maxLength: number) =>
    fc.string({ unit: fc.constantFrom(..."0001259"), minLength: 1, maxLength });
  const suffix = fc.constantFrom("", "n", "u", "m", "k", "M", "G", "Ki", "Mi", "Gi", "e3", "E-4");
  return fc
    .tuple(fc.constantFrom("", "-", "+"), digits(10), fc.option(digits(12)), suffix)
    .map(([minus, whole, fraction, unit]) => {
      return `${minus}${whole}${fraction === null ? "" : `.${fraction}`}${unit}`;
    });
}

function billionths({ mantissa, exponent }: Quantity): bigint {
  return mantissa * 10n ** BigInt(exponent + 9);
}
