import { daysInMonth } from "./days-in-month.ts";

const rfc3339 = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})$/;
/** The part after the seconds: the fraction and the zone. */
const afterSeconds = /^(?:\.(?<fraction>\d+))?(?<zone>.+)$/;

/** A time in milliseconds since 1970-01-01T00:00:00Z, with microseconds as a fraction. */
export type EpochMillis = number;

/** 0000-01-01T00:00:00Z and the last second of the year 9999: the range of text with four-digit years. */
const firstInstant = -62_167_219_200_000;
const lastInstant = 253_402_300_799_999;
/** 0001-01-01T00:00:00Z. */
const zeroInstant = -62_135_596_800_000;

/**
 * Reads a timestamp.
 *
 * @param time - RFC 3339 text with a zone, or a `Date`, which some clients return
 * @returns `undefined` for anything else: invalid dates such as February 30, leap seconds, and times outside the
 * years 0 to 9999 in UTC
 * @example parseTime("2026-02-07T06:56:19Z") // => 1770447379000
 * @example parseTime("2026-02-30T00:00:00Z") // => undefined
 */
export function parseTime(time: string | Date | undefined | null): EpochMillis | undefined {
  const instant = time instanceof Date ? time.getTime() : parseText(time);
  return instant >= firstInstant && instant < lastInstant + 1 ? instant : undefined;
}

/**
 * Formats a time as the API server does: UTC, whole seconds, `Z`. Fractions of a second are dropped.
 *
 * @param instant - a time outside the years 0 to 9999 becomes their first or last second
 * @returns Go's zero time for a value that is not a number
 * @example formatTime(1770447379999) // => "2026-02-07T06:56:19Z"
 * @example formatTime(Number.NaN) // => "0001-01-01T00:00:00Z"
 */
export function formatTime(instant: EpochMillis): string {
  return `${toSeconds(toDate(instant))}Z`;
}

/**
 * Formats a time with microseconds, as the API server does in Events and Leases.
 *
 * @param instant - a time outside the years 0 to 9999 becomes their first or last second
 * @returns the result of {@link formatTime} for a value that is not a number
 * @example formatMicroTime(1770447379999) // => "2026-02-07T06:56:19.999000Z"
 */
export function formatMicroTime(instant: EpochMillis): string {
  const date = toDate(instant);
  return `${toSeconds(date)}.${digits(date.getUTCMilliseconds(), 3)}000Z`;
}

function toDate(instant: EpochMillis): Date {
  const isKnown = typeof instant === "number" && !Number.isNaN(instant);
  const known = isKnown ? Math.floor(instant) : zeroInstant;
  return new Date(Math.min(Math.max(known, firstInstant), lastInstant));
}

/** Formats a date to the second. `toISOString` takes more than twice as long. */
function toSeconds(date: Date): string {
  const month = digits(date.getUTCMonth() + 1, 2);
  const day = `${digits(date.getUTCFullYear(), 4)}-${month}-${digits(date.getUTCDate(), 2)}`;
  const minute = `${digits(date.getUTCHours(), 2)}:${digits(date.getUTCMinutes(), 2)}`;
  return `${day}T${minute}:${digits(date.getUTCSeconds(), 2)}`;
}

function digits(value: number, count: number): string {
  // Padding takes longer than the number, and most of these numbers need none.
  return value >= 10 && count === 2 ? String(value) : String(value).padStart(count, "0");
}

/** Returns the time of RFC 3339 text, or NaN if the text is invalid. */
function parseText(text: unknown): number {
  if (typeof text !== "string" || !rfc3339.test(text)) return Number.NaN;
  const [year, month, day] = [
    readDigits(text, 0, 4),
    readDigits(text, 5, 7),
    readDigits(text, 8, 10),
  ];
  const hour = readDigits(text, 11, 13);
  const minute = readDigits(text, 14, 16);
  const second = readDigits(text, 17, 19);
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return Number.NaN;
  if (hour > 23 || minute > 59 || second > 59) return Number.NaN;
  const midnight = new Date(0).setUTCFullYear(year, month - 1, day);
  const instant = midnight + ((hour * 60 + minute) * 60 + second) * 1000;
  // The API server's format. Other formats are rare.
  if (text.length === 20) return instant;
  const { fraction = "", zone = "" } = afterSeconds.exec(text.slice(19))?.groups ?? {};
  return instant - zoneOffsetMinutes(zone) * 60_000 + fractionMilliseconds(fraction);
}

/** Reads a number. Every pass reads many times, and digits are faster to read than a part of the text. */
function readDigits(text: string, from: number, to: number): number {
  let number = 0;
  for (let at = from; at < to; at++) number = 10 * number + text.charCodeAt(at) - ZERO;
  return number;
}

const ZERO = 48;

/** Returns the minutes east of UTC, or NaN for an invalid zone. */
function zoneOffsetMinutes(zone: string): number {
  if (zone === "Z" || zone === "z") return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(4, 6));
  if (hours > 23 || minutes > 59) return Number.NaN;
  return (zone.startsWith("-") ? -1 : 1) * (hours * 60 + minutes);
}

/**
 * The API's finest times are microseconds. Finer digits are dropped, so that a time does not round up to the next
 * second. The text is scaled, because `0.000009 * 1000` is not exact.
 */
function fractionMilliseconds(digits: string): number {
  return Number(`${digits.slice(0, 3).padEnd(3, "0")}.${digits.slice(3, 6)}`);
}
