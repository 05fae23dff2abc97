import { describe, expect, it } from "vitest";
import { type CensusSettings, censusConfiguration } from "./census-configuration.ts";

describe("censusConfiguration", () => {
  it("censusConfiguration uses the default for absent and empty settings", () => {
    for (const settings of [undefined, {}, { deadline: "", interval: "" }]) {
      expect(censusConfiguration(settings)).toMatchObject({
        ok: true,
        configuration: {
          deadlineSeconds: 60,
          intervalSeconds: 5,
          jobOwned: "KindContainsJob",
          failedReason: "FirstContainer",
          maxEvents: 50,
        },
      });
    }
  });

  it("censusConfiguration parses decimal digits with leading zeros", () => {
    expect(censusConfiguration({ deadline: "08", interval: "010" })).toMatchObject({
      configuration: { deadlineSeconds: 8, intervalSeconds: 10 },
    });
  });

  it.each<[string, CensusSettings, string]>([
    [
      "a deadline that is not a number",
      { deadline: "1m", interval: "x" },
      "KWOK_VERIFY_PODS_DEADLINE must be a non-negative integer (got: '1m')",
    ],
    [
      "a negative deadline",
      { deadline: "-1" },
      "KWOK_VERIFY_PODS_DEADLINE must be a non-negative integer (got: '-1')",
    ],
    [
      "an interval that is not a number",
      { interval: "5s" },
      "KWOK_VERIFY_PODS_INTERVAL must be a positive integer (got: '5s')",
    ],
    [
      "an interval of nothing, as it was given",
      { interval: "00" },
      "KWOK_VERIFY_PODS_INTERVAL must be a positive integer >= 1 (got: '00')",
    ],
    [
      "a deadline that no clock reaches",
      { deadline: "9007199254740993" },
      "KWOK_VERIFY_PODS_DEADLINE must be at most 9007199254740991 (got: '9007199254740993')",
    ],
  ])("censusConfiguration rejects %s", (_, settings, message) => {
    expect(censusConfiguration(settings)).toEqual({ ok: false, message });
  });
});
