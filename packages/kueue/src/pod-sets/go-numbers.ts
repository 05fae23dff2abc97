import { goQuote } from "@jobset-ts/api/text";
import { MAX_INT32, MIN_INT32 } from "@jobset-ts/api/typed";

/** A number or boolean, or the message of Go's parse error. */
export type GoParseResult<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly message: string };

/**
 * Parses a 32-bit decimal integer: an optional sign and digits, nothing else.
 *
 * @see Go `strconv.ParseInt` with base 10 and 32 bits
 */
export function parseInt32(text: string): GoParseResult<number> {
  const parsed = parseWithin(text, "ParseInt", BigInt(MIN_INT32), BigInt(MAX_INT32));
  return parsed.ok ? { ok: true, value: Number(parsed.value) } : parsed;
}

/**
 * Parses a 64-bit decimal integer.
 *
 * @see Go `strconv.Atoi`
 */
export function parseInt64(text: string): GoParseResult<bigint> {
  return parseWithin(text, "Atoi", -(2n ** 63n), 2n ** 63n - 1n);
}

/** More digits than any 64-bit integer has. */
const TOO_MANY_DIGITS = 20;

function parseWithin(
  text: string,
  parserName: string,
  min: bigint,
  max: bigint,
): GoParseResult<bigint> {
  const reject = (why: string): GoParseResult<bigint> => ({
    ok: false,
    message: `strconv.${parserName}: parsing ${goQuote(text)}: ${why}`,
  });
  const [, sign, digits = ""] = /^([+-]?)0*(\d*)$/.exec(text) ?? [];
  if (sign === undefined || !/\d/.test(text)) return reject("invalid syntax");
  if (digits.length >= TOO_MANY_DIGITS) return reject("value out of range");
  const value = BigInt(`${sign === "-" ? "-" : ""}${digits === "" ? "0" : digits}`);
  return value < min || value > max ? reject("value out of range") : { ok: true, value };
}

const booleanTexts: ReadonlyMap<string, boolean> = new Map([
  ...["1", "t", "T", "TRUE", "true", "True"].map((text) => [text, true] as const),
  ...["0", "f", "F", "FALSE", "false", "False"].map((text) => [text, false] as const),
]);

/**
 * Parses a boolean as Go's `strconv.ParseBool` does.
 *
 * @see Go `strconv.ParseBool`
 */
export function parseBool(text: string): GoParseResult<boolean> {
  const value = booleanTexts.get(text);
  return value === undefined
    ? { ok: false, message: `strconv.ParseBool: parsing ${goQuote(text)}: invalid syntax` }
    : { ok: true, value };
}
