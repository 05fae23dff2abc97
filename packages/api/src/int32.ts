/** The largest value of a 32-bit counter. */
export const MAX_INT32 = 2_147_483_647;
/** The smallest value of a 32-bit counter. */
export const MIN_INT32 = -2_147_483_648;

/** Whether a value is an integer that a 32-bit counter can hold. */
export function isInt32(value: unknown): value is number {
  return (
    Number.isInteger(value) && (value as number) >= MIN_INT32 && (value as number) <= MAX_INT32
  );
}

/**
 * An integer as a 32-bit counter holds it: beyond the ends it goes on at the other end.
 *
 * @param value - an integer between −2^53 and 2^53
 * @example toInt32(MAX_INT32 + 1) // => -2147483648
 */
export function toInt32(value: number): number {
  return value | 0;
}
