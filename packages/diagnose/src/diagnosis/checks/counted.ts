/** A number with its noun: `1 job`, `2 jobs`. */
export function pluralize(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** The verb that goes with a number. */
export function toBe(count: number): string {
  return count === 1 ? "is" : "are";
}
