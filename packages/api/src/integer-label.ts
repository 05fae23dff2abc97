import { asString } from "./members.ts";
import { goQuote } from "./quote.ts";

const integerSyntax = /^[+-]?[0-9]+$/;
const significantDigits = /^[+-]?0*(?<digits>[0-9]*)/;
/** Texts up to this length are exact as a number. */
const exactLength = 15;
/** The maximum number of digits of an unsigned 64-bit integer. */
const maxDigits = 20;
const minInt64 = -9_223_372_036_854_775_808n;
const maxInt64 = 9_223_372_036_854_775_807n;
const maxUint64 = 18_446_744_073_709_551_615n;

/**
 * An integer from a label or annotation, or why the text is not one.
 *
 * `value` is exact up to 2^53. A larger value is the nearest double, which is correct for comparisons with every
 * counter of the API. `decimal` is the exact integer in its shortest form.
 */
type IntegerLabel =
  | { readonly ok: true; readonly value: number; readonly decimal: string }
  | { readonly ok: false; readonly message: string };

/**
 * Parses the text of a label as a signed 64-bit integer: one optional sign and ASCII digits, including leading zeros.
 *
 * @param text - the label's value; an absent or non-text label is the empty text
 * @returns the value, or the message with which the controller reports the text
 * @see Go `strconv.Atoi`
 * @example parseIntegerLabel("+07") // => { ok: true, value: 7, decimal: "7" }
 * @example parseIntegerLabel("1_0") // => { ok: false, message: 'strconv.Atoi: parsing "1_0": invalid syntax' }
 */
export function parseIntegerLabel(text: string | undefined): IntegerLabel {
  const label = asString(text);
  if (label.length > exactLength) return parseLongLabel(label);
  if (!integerSyntax.test(label)) return createRejection(label, "invalid syntax");
  const value = Number(label) + 0; // minus zero becomes zero
  return { ok: true, value, decimal: String(value) };
}

function parseLongLabel(label: string): IntegerLabel {
  const digits = significantDigits.exec(label)?.groups?.digits ?? "";
  // Go stops at the first digit that does not fit into 64 bits, ignoring the sign, and does not read the rest.
  if (digits.length > maxDigits || BigInt(digits) > maxUint64) {
    return createRejection(label, "value out of range");
  }
  if (!integerSyntax.test(label)) return createRejection(label, "invalid syntax");
  const value = label.startsWith("-") ? -BigInt(digits) : BigInt(digits);
  if (value < minInt64 || value > maxInt64) return createRejection(label, "value out of range");
  return { ok: true, value: Number(value), decimal: String(value) };
}

function createRejection(text: string, why: string): IntegerLabel {
  return { ok: false, message: `strconv.Atoi: parsing ${goQuote(text)}: ${why}` };
}
