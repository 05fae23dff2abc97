/** The largest value of a 32-bit counter. */
export const MAX_INT32 = 2_147_483_647;
/** The smallest value of a 32-bit counter. */
export const MIN_INT32 = -2_147_483_648;

/** Reports whether a value is an integer that a 32-bit counter can hold. */
export function isInt32(value: unknown): value is number {
  return (
    Number.isInteger(value) && (value as number) >= MIN_INT32 && (value as number) <= MAX_INT32
  );
}

/**
 * Returns an integer as a 32-bit counter holds it. Values out of range wrap around.
 *
 * @param value - an integer between −2^53 and 2^53
 * @example toInt32(MAX_INT32 + 1) // => -2147483648
 */
export function toInt32(value: number): number {
  return value | 0;
}

/**
 * Returns the count plus one. The largest 32-bit count does not change, so a counter never
 * decreases.
 *
 * @param count - a count above the maximum, as in an edited status, does not change
 * @example incrementInt32(3) // => 4
 * @example incrementInt32(MAX_INT32) // => 2147483647
 */
export function incrementInt32(count: number): number {
  return count < MAX_INT32 ? count + 1 : count;
}

/**
 * Reports whether a value is an integer that fits into 64 bits, within the precision of a double. The largest one
 * becomes 2^63, which is accepted.
 *
 * @example isInt64(2 ** 63) // => true
 * @example isInt64(0.5) // => false
 */
export function isInt64(value: unknown): value is number {
  return Number.isInteger(value) && Math.abs(value as number) <= 2 ** 63;
}

const LARGEST_INT64 = 2n ** 63n - 1n;

/**
 * Formats an {@link isInt64 integer} with all digits, because JavaScript rounds beyond 2^53. Formats any other number
 * as JavaScript does.
 *
 * @example formatInt64(2 ** 63) // => "9223372036854775807"
 */
export function formatInt64(value: number): string {
  if (!Number.isInteger(value)) return typeof value === "number" ? `${value}` : "";
  const exact = BigInt(value);
  return String(exact > LARGEST_INT64 ? LARGEST_INT64 : exact);
}
