import { quote } from "./quote.ts";

const integerSyntax = /^[+-]?[0-9]+$/;
/** Texts up to this length are always exact as a number. */
const exactLength = 15;
const minimum = -(2n ** 63n);
const maximum = 2n ** 63n - 1n;

/**
 * An integer read from a label or annotation, or why the text is none.
 *
 * `value` is exact up to 2^53 and beyond that the nearest double, which compares rightly with every counter of
 * the API. `decimal` is the exact integer in its shortest form.
 */
export type IntegerLabel =
  | { readonly ok: true; readonly value: number; readonly decimal: string }
  | { readonly ok: false; readonly message: string };

/**
 * Reads the text of a label as a signed 64-bit integer: one optional sign and ASCII digits, leading zeros
 * included, nothing else.
 *
 * @param text - the label's value; an absent label is the empty text
 * @returns the value, or the words in which the controller reports the text
 * @see Go `strconv.Atoi`
 * @example parseIntegerLabel("+07") // => { ok: true, value: 7, decimal: "7" }
 * @example parseIntegerLabel("1_0") // => { ok: false, message: 'strconv.Atoi: parsing "1_0": invalid syntax' }
 */
export function parseIntegerLabel(text: string | undefined): IntegerLabel {
  const label = text ?? "";
  if (!integerSyntax.test(label)) return refuse(label, "invalid syntax");
  if (label.length <= exactLength) {
    const value = Number(label) + 0; // minus zero becomes zero
    return { ok: true, value, decimal: String(value) };
  }
  const value = BigInt(label.startsWith("+") ? label.slice(1) : label);
  if (value < minimum || value > maximum) return refuse(label, "value out of range");
  return { ok: true, value: Number(value), decimal: String(value) };
}

function refuse(text: string, why: string): IntegerLabel {
  return { ok: false, message: `strconv.Atoi: parsing ${quote(text)}: ${why}` };
}
