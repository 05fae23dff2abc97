import fc from "fast-check";
import { isSameData } from "../same-data.ts";

/**
 * Asserts a condition of a property.
 *
 * @throws Error if the condition is false, which fails the fast-check property
 */
export function claim(holds: boolean, text: string, ...about: readonly unknown[]): void {
  if (holds) return;
  throw new Error([text, ...about.map(formatValue)].join("\n"));
}

function formatValue(value: unknown): string {
  try {
    return fc.stringify(value);
  } catch {
    return "a value nested too deeply to show";
  }
}

/** Asserts that two values are the same plain data, see {@link isSameData}. */
export function claimSame(actual: unknown, expected: unknown, text: string): void {
  claim(isSameData(actual, expected), text, { expected, actual });
}
