import { describe, expect, it } from "vitest";
import { daysInMonth } from "./days-in-month.ts";

describe("daysInMonth", () => {
  it("daysInMonth is 30 for April, June, September and November, and 31 for all other months except February", () => {
    const days = Array.from({ length: 12 }, (_, month) => daysInMonth(2023, month + 1));
    expect(days).toEqual([31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]);
  });

  it.each([
    [2024, 29],
    [2023, 28],
    [1900, 28],
    [2000, 29],
    [0, 29],
  ])("daysInMonth of February %i is %i", (year, days) => {
    expect(daysInMonth(year, 2)).toBe(days);
  });
});
