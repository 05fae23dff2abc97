/**
 * Returns the days of a month in the Gregorian calendar, which RFC 3339 also uses for earlier years.
 *
 * @param month - 1 for January
 * @example daysInMonth(2024, 2) // => 29
 */
export function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}
