import { readTimestamp } from "@jobset-ts/api/typed";

/**
 * Reports whether text is a timestamp in the schema's format `date-time`. The API server ignores everything after a
 * second `t`, ignores case, and accepts any character before a fraction.
 *
 * @see kube-openapi `strfmt.IsDateTime`
 * @example isDateTime("2026-02-07T06:56:19Z") // => true
 * @example isDateTime("2026-02-30T06:56:19Z") // => false
 */
export function isDateTime(text: string): boolean {
  const [date = "", time] = text.toLowerCase().split("t");
  if (time === undefined || !isDate(date)) return false;
  const [, hour = "", minute = "", second = ""] = timeOfDay.exec(time) ?? [];
  return hour !== "" && hour <= "23" && minute <= "59" && second <= "59";
}

const timeOfDay = /^([0-9]{2}):([0-9]{2}):([0-9]{2})([^\n][0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))$/u;

function isDate(text: string): boolean {
  return readTimestamp(`${text}T00:00:00Z`) !== undefined;
}
