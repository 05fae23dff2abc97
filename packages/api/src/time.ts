const rfc3339 =
  /^(?<date>\d{4}-(?<month>\d{2})-(?<day>\d{2}))[Tt](?<hour>\d{2}):(?<minute>\d{2}):(?<second>\d{2})(?:\.(?<fraction>\d+))?(?<zone>[Zz]|[+-]\d{2}:\d{2})$/;

/** An instant: milliseconds since 1970-01-01T00:00:00Z, with fractions where the text had them. */
export type Instant = number;

/**
 * Reads a timestamp.
 *
 * @param time - RFC 3339 text with a zone, or a `Date` as some clients hand out
 * @returns `undefined` for anything else, invalid dates such as February 30 included
 * @example parseTime("2026-02-07T06:56:19Z") // => 1770447379000
 * @example parseTime("2026-02-30T00:00:00Z") // => undefined
 */
export function parseTime(time: string | Date | undefined | null): Instant | undefined {
  if (time instanceof Date) return Number.isNaN(time.getTime()) ? undefined : time.getTime();
  const parts = typeof time === "string" ? rfc3339.exec(time)?.groups : undefined;
  if (parts === undefined) return undefined;
  const [year, month, day] = (parts.date ?? "").split("-").map(Number) as [number, number, number];
  const hour = Number(parts.hour);
  const minute = Number(parts.minute);
  const second = Number(parts.second);
  const offset = zoneOffsetMinutes(parts.zone ?? "Z");
  if (offset === undefined || month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) {
    return undefined;
  }
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const midnight = new Date(0).setUTCFullYear(year, month - 1, day);
  const fraction = parts.fraction === undefined ? 0 : Number(`0.${parts.fraction}`);
  return midnight + ((hour * 60 + minute - offset) * 60 + second + fraction) * 1000;
}

/**
 * Writes an instant as the API server does: UTC, whole seconds, `Z`. Fractions of a second are dropped.
 *
 * @param instant - between the years 0 and 9999
 * @example formatTime(1770447379999) // => "2026-02-07T06:56:19Z"
 */
export function formatTime(instant: Instant): string {
  return `${new Date(Math.floor(instant / 1000) * 1000).toISOString().slice(0, 19)}Z`;
}

function zoneOffsetMinutes(zone: string): number | undefined {
  if (zone === "Z" || zone === "z") return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(4, 6));
  if (hours > 23 || minutes > 59) return undefined;
  return (zone.startsWith("-") ? -1 : 1) * (hours * 60 + minutes);
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}
