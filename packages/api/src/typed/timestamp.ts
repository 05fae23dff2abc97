import { daysInMonth } from "../days-in-month.ts";

/** An instant to the nanosecond. */
export interface Timestamp {
  /** Whole seconds since 1970-01-01T00:00:00Z, rounded down. */
  readonly seconds: number;
  /** 0 to 999,999,999. */
  readonly nanoseconds: number;
}

// Go accepts an hour of one digit and a comma before the fraction, although RFC 3339 does not allow them.
const syntax =
  /^(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})T(?<hour>\d{1,2}):(?<minute>\d{2}):(?<second>\d{2})(?:[.,](?<fraction>\d+))?(?<zone>Z|[+-]\d{2}:\d{2})$/;

/** 0001-01-01T00:00:00Z, Go's zero time. */
const zeroSeconds = -62_135_596_800;

/**
 * Reads a timestamp exactly as upstream's decoder does: RFC 3339 with a zone, `T` and `Z` in upper case. Use
 * `parseTime` to read a date that a person wrote.
 *
 * @returns `undefined` for any other text
 * @see Kubernetes `metav1.Time.UnmarshalJSON`; Go `time.Parse`
 */
export function readTimestamp(text: unknown): Timestamp | undefined {
  const parts = typeof text === "string" ? syntax.exec(text)?.groups : undefined;
  if (parts === undefined) return undefined;
  const [year, month, day, hour, minute, second] = [
    Number(parts.year),
    Number(parts.month),
    Number(parts.day),
    Number(parts.hour),
    Number(parts.minute),
    Number(parts.second),
  ];
  const offset = zoneOffsetMinutes(parts.zone ?? "Z");
  const isDay = month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
  if (!isDay || hour > 23 || minute > 59 || second > 59 || offset === undefined) return undefined;
  const midnight = new Date(0).setUTCFullYear(year, month - 1, day) / 1000;
  return {
    seconds: midnight + (hour * 60 + minute - offset) * 60 + second,
    nanoseconds: Number((parts.fraction ?? "").slice(0, 9).padEnd(9, "0")),
  };
}

/**
 * Formats a timestamp as upstream does: in UTC, in whole seconds, without the fraction.
 *
 * @returns `null` for Go's zero time
 * @see Kubernetes `metav1.Time.MarshalJSON`
 */
export function formatTimestamp(timestamp: Timestamp): string | null {
  if (isZeroTimestamp(timestamp)) return null;
  const date = new Date(timestamp.seconds * 1000);
  const year = date.getUTCFullYear();
  const digits = `${Math.abs(year)}`.padStart(4, "0");
  // toISOString writes years beyond 9999 with a sign and six digits. The rest of its text is
  // correct.
  return `${year < 0 ? "-" : ""}${digits}${date.toISOString().slice(-20, -5)}Z`;
}

/** Reports whether a timestamp is Go's zero time, which means absent. */
function isZeroTimestamp({ seconds, nanoseconds }: Timestamp): boolean {
  return seconds === zeroSeconds && nanoseconds === 0;
}

function zoneOffsetMinutes(zone: string): number | undefined {
  if (zone === "Z") return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(4));
  // Go accepts 24 hours and 60 minutes in an offset.
  if (hours > 24 || minutes > 60) return undefined;
  return (zone.startsWith("-") ? -1 : 1) * (hours * 60 + minutes);
}
