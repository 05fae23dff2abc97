/** Formats a number with its noun: `1 job`, `2 jobs`. */
export function pluralize(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** Returns `is` or `are`, depending on a number. */
export function toBe(count: number): string {
  return count === 1 ? "is" : "are";
}
