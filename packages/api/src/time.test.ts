import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatMicroTime, formatTime, parseTime } from "./time.ts";

const firstInstant = Date.parse("0000-01-01T00:00:00Z");
const lastInstant = Date.parse("9999-12-31T23:59:59.999Z");

describe("parseTime", () => {
  it.each([
    ["1970-01-01T00:00:00Z", 0],
    ["2026-02-07T06:56:19Z", 1_770_447_379_000],
    ["2026-02-07t06:56:19z", 1_770_447_379_000],
    ["2026-02-07T08:26:19+01:30", 1_770_447_379_000],
    ["2026-02-06T23:56:19-07:00", 1_770_447_379_000],
    ["2026-02-07T06:56:19-00:00", 1_770_447_379_000],
    ["2026-02-07T06:56:19.5Z", 1_770_447_379_500],
    ["2026-02-07T06:56:01.001Z", 1_770_447_361_001],
    ["2026-02-07T06:56:19.000001Z", 1_770_447_379_000.001],
    ["2026-02-07T06:56:19.9999999999999999Z", 1_770_447_379_999.999],
    ["2024-02-29T00:00:00Z", 1_709_164_800_000],
    ["2000-02-29T00:00:00Z", 951_782_400_000],
    ["0000-01-01T00:00:00Z", firstInstant],
    ["0099-12-31T00:00:00Z", Date.parse("0099-12-31T00:00:00Z")],
    ["9999-12-31T23:59:59.999Z", lastInstant],
  ])("parseTime parses %s", (text, instant) => {
    expect(parseTime(text)).toBe(instant);
  });

  it.each([
    "",
    "now",
    "2026-02-07",
    "2026-02-07T06:56:19",
    "2026-02-07 06:56:19Z",
    "2026-02-07T06:56Z",
    "2026-2-7T06:56:19Z",
    "2026-02-07T06:56:19.Z",
    "2026-02-07T06:56:19+0100",
    "2026-02-07T06:56:19+24:00",
    "2026-02-07T06:56:19+00:60",
    "2026-02-07T24:00:00Z",
    "2026-02-07T06:60:00Z",
    "2026-12-31T23:59:60Z",
    "2026-00-07T06:56:19Z",
    "2026-13-07T06:56:19Z",
    "2026-02-00T06:56:19Z",
    "2026-02-30T06:56:19Z",
    "2026-04-31T06:56:19Z",
    "2025-02-29T06:56:19Z",
    "2100-02-29T06:56:19Z",
    "+12026-02-07T06:56:19Z",
    "2026-02-07T06:56:19Z\n",
    " 2026-02-07T06:56:19Z",
    "٢٠٢٦-02-07T06:56:19Z",
    "0000-01-01T00:00:00+00:01",
    "9999-12-31T23:59:59-00:01",
  ])("parseTime rejects %j", (text) => {
    expect(parseTime(text)).toBeUndefined();
  });

  it("parseTime accepts a valid Date in the years of timestamps", () => {
    expect(parseTime(new Date(1_770_447_379_123))).toBe(1_770_447_379_123);
    expect(parseTime(new Date(Number.NaN))).toBeUndefined();
    expect(parseTime(new Date(firstInstant - 1))).toBeUndefined();
    expect(parseTime(new Date(lastInstant + 1))).toBeUndefined();
  });

  it("parseTime returns a result for every JSON value", () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => parseTime(value as string) === undefined));
    expect(parseTime(undefined)).toBeUndefined();
  });

  it("parseTime agrees with Date on every instant in any notation", () => {
    fc.assert(
      fc.property(fc.date({ noInvalidDate: true, ...getYearLimits() }), zones(), (date, zone) => {
        const text = textIn(zone, date);
        expect(Date.parse(text)).toBe(date.getTime());
        expect(parseTime(text)).toBe(date.getTime());
      }),
    );
  });

  it("parseTime rejects each text that Date rejects", () => {
    const padTwo = fc.integer({ min: 0, max: 99 }).map((value) => String(value).padStart(2, "0"));
    const nearlyTimes = fc
      .tuple(padTwo, padTwo, padTwo, padTwo, padTwo)
      .map(
        ([month, day, hour, minute, second]) => `2023-${month}-${day}T${hour}:${minute}:${second}Z`,
      );
    fc.assert(
      fc.property(nearlyTimes, (text) => {
        const instant = parseTime(text);
        // Date counts surplus days into the next month, and reads 24:00 as the next day.
        if (instant !== undefined) expect(Date.parse(text)).toBe(instant);
        const date = new Date(Date.parse(text));
        if (!Number.isNaN(date.getTime()) && date.toISOString() === text.replace("Z", ".000Z")) {
          expect(instant).toBe(date.getTime());
        }
      }),
    );
  });
});

describe("formatTime", () => {
  it("formatTime truncates fractions of a second, also before 1970", () => {
    expect(formatTime(1_770_447_379_999)).toBe("2026-02-07T06:56:19Z");
    expect(formatTime(1_770_447_379_999.9)).toBe("2026-02-07T06:56:19Z");
    expect(formatTime(-1)).toBe("1969-12-31T23:59:59Z");
  });

  it("formatTime returns only years with four digits", () => {
    expect(formatTime(firstInstant - 1)).toBe("0000-01-01T00:00:00Z");
    expect(formatTime(lastInstant + 1)).toBe("9999-12-31T23:59:59Z");
    expect(formatTime(Number.NEGATIVE_INFINITY)).toBe("0000-01-01T00:00:00Z");
    expect(formatTime(Number.POSITIVE_INFINITY)).toBe("9999-12-31T23:59:59Z");
  });

  it.each([Number.NaN, undefined, "now", {}])(
    "formatTime writes %j as the zero time",
    (instant) => {
      expect(formatTime(instant as number)).toBe("0001-01-01T00:00:00Z");
    },
  );

  it("formatTime writes whole seconds that parseTime reads back", () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (value) => {
        const text = formatTime(value);
        expect(text).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
        const inRange = Math.min(Math.max(value, firstInstant), lastInstant);
        expect(parseTime(text)).toBe(Math.floor(inRange / 1000) * 1000);
      }),
    );
  });
});

/**
 * At least one day from both ends, so that no time zone moves a date into a year that the text
 * format does not support.
 */
function getYearLimits() {
  return { min: new Date(firstInstant + 86_400_000), max: new Date(lastInstant - 86_400_000) };
}

function zones() {
  return fc.integer({ min: -23 * 60 - 59, max: 23 * 60 + 59 });
}

function textIn(zoneMinutes: number, date: Date): string {
  const local = new Date(date.getTime() + zoneMinutes * 60_000).toISOString().slice(0, -1);
  const padTwo = (value: number) => String(value).padStart(2, "0");
  const size = Math.abs(zoneMinutes);
  return `${local}${zoneMinutes < 0 ? "-" : "+"}${padTwo(Math.floor(size / 60))}:${padTwo(size % 60)}`;
}

describe("formatMicroTime", () => {
  it("formatMicroTime keeps milliseconds, and writes microseconds as zeros", () => {
    expect(formatMicroTime(1_770_447_379_999)).toBe("2026-02-07T06:56:19.999000Z");
    expect(formatMicroTime(0.9)).toBe("1970-01-01T00:00:00.000000Z");
  });

  it("formatTime writes the zero time for a value that is not a number", () => {
    expect(formatMicroTime(Number.NaN)).toBe("0001-01-01T00:00:00.000000Z");
  });
});
