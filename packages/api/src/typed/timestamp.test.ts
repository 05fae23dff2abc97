import { describe, expect, it } from "vitest";
import { formatTimestamp, readTimestamp } from "./timestamp.ts";

// The texts that upstream's decoder accepts, and how its encoder prints them.
describe("timestamps", () => {
  it.each([
    ["2026-02-07T06:56:19Z", "2026-02-07T06:56:19Z"],
    ["2026-02-07T06:56:19.999999999Z", "2026-02-07T06:56:19Z"],
    ["2026-02-07T06:56:19,5Z", "2026-02-07T06:56:19Z"],
    ["2026-02-07T6:56:19Z", "2026-02-07T06:56:19Z"],
    ["2026-02-07T00:30:00+01:00", "2026-02-06T23:30:00Z"],
    ["2024-02-29T23:59:59-24:60", "2024-03-02T00:59:59Z"],
    ["0000-02-29T00:00:00Z", "0000-02-29T00:00:00Z"],
    ["0000-01-01T00:00:00+01:00", "-0001-12-31T23:00:00Z"],
    ["9999-12-31T23:59:59-01:00", "10000-01-01T00:59:59Z"],
    ["0001-01-01T00:00:00Z", null],
    ["0001-01-01T01:00:00+01:00", null],
    ["0001-01-01T00:00:00.1Z", "0001-01-01T00:00:00Z"],
  ])("readTimestamp reads %s and writes %s", (text, written) => {
    const timestamp = readTimestamp(text);
    expect(timestamp && formatTimestamp(timestamp)).toBe(written);
  });

  it.each([
    "",
    "2026-02-07",
    "2026-02-07T06:56:19",
    "2026-02-07 06:56:19Z",
    "2026-02-07t06:56:19z",
    "2026-02-30T00:00:00Z",
    "2025-02-29T00:00:00Z",
    "2026-00-01T00:00:00Z",
    "2026-13-01T00:00:00Z",
    "2026-02-07T24:00:00Z",
    "2026-02-07T06:60:19Z",
    "2026-02-07T06:56:60Z",
    "2026-02-07T06:56:19.Z",
    "2026-02-07T06:56:19+0100",
    "2026-02-07T06:56:19+25:00",
    "2026-02-07T06:56:19Z\n",
    1_770_447_379,
    null,
    {},
  ])("readTimestamp rejects %j", (value) => {
    expect(readTimestamp(value)).toBeUndefined();
  });

  it("readTimestamp distinguishes instants that differ by a nanosecond", () => {
    const timestamp = readTimestamp("2026-02-07T06:56:19.000000001999Z");
    expect(timestamp).toEqual({ seconds: 1_770_447_379, nanoseconds: 1 });
  });

  it("formatTimestamp returns null only for Go's zero time", () => {
    expect(formatTimestamp({ seconds: -62_135_596_800, nanoseconds: 0 })).toBeNull();
    expect(formatTimestamp({ seconds: -62_135_596_800, nanoseconds: 1 })).not.toBeNull();
    expect(formatTimestamp({ seconds: 0, nanoseconds: 0 })).not.toBeNull();
  });
});
