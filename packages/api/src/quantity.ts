import { isInt32 } from "./integers.ts";

/**
 * An exact resource amount: `mantissa × 10^exponent`.
 *
 * Quantities of equal value may differ in `text`, because some texts do not change.
 *
 * @see Kubernetes `resource.Quantity`
 */
export interface Quantity {
  /** Not a multiple of ten, unless it is zero. */
  readonly mantissa: bigint;
  /** 0 if the mantissa is zero. At least −9, because smaller parts are rounded up. */
  readonly exponent: number;
  /** The text in which the API server writes the quantity. */
  readonly text: string;
}

/** A quantity, or why a value is not one. */
export type ParsedQuantity =
  | { readonly ok: true; readonly value: Quantity }
  | { readonly ok: false; readonly message: string };

/**
 * Parses a quantity: a number with an optional sign, fraction and suffix (`500m`, `1.5Gi`, `12e3`), as text or as a
 * JSON number, with or without surrounding white space.
 *
 * More than nine decimal places are rounded away from zero, and a value with a binary suffix is capped at 2^63 − 1. As
 * in upstream, a missing number before a suffix or a dot is zero.
 *
 * @param quantity - any JSON value; a number is read as its JSON text
 * @returns an error for any other form, and for two forms that upstream parses: an exponent beyond 32 bits, which
 * wraps around there, and text of more than 1024 characters, which takes long
 * @see Kubernetes `resource.ParseQuantity`, `Quantity.UnmarshalJSON`
 * @example parseQuantity("1024Mi") // => { ok: true, value: { mantissa: 1073741824n, exponent: 0, text: "1Gi" } }
 * @example parseQuantity(0.5) // => { ok: true, value: { mantissa: 5n, exponent: -1, text: "500m" } }
 * @example parseQuantity("5 GB").ok // => false
 */
export function parseQuantity(quantity: unknown): ParsedQuantity {
  if (typeof quantity !== "string" || quantity.length > maxRememberedLength)
    return parseCached(quantity);
  let known = cachedQuantities.get(quantity);
  if (known === undefined) {
    known = parseCached(quantity);
    if (cachedQuantities.size === maxRemembered) cachedQuantities.clear();
    cachedQuantities.set(quantity, known);
  }
  return known;
}

/**
 * A cache of recently parsed texts. Containers repeat a few amounts, and parsing one costs as much as checking a
 * container.
 */
const cachedQuantities = new Map<string, ParsedQuantity>();
const maxRemembered = 500;
const maxRememberedLength = 24;

function parseCached(quantity: unknown): ParsedQuantity {
  const written = readWritten(quantity);
  if (written === undefined) {
    return { ok: false, message: "must be a quantity such as 500m, 2 or 1.5Gi" };
  }
  const value = parseAmount(written);
  const text = written.keptAsWritten ? written.text : canonicalText(value, written.format);
  return { ok: true, value: { ...value, text } };
}

/**
 * Returns the canonical text of a quantity, or `undefined` for any other value. Canonical is the whole number with the
 * largest suffix of the same family. As in the API server, some other texts remain unchanged: `1.500`, `+5`, `05` and
 * `1E3`.
 *
 * @param quantity - any JSON value
 * @example canonicalQuantity("1000m") // => "1"
 * @example canonicalQuantity("1.500") // => "1.500"
 */
export function canonicalQuantity(quantity: unknown): string | undefined {
  const parsed = parseQuantity(quantity);
  return parsed.ok ? parsed.value.text : undefined;
}

/** Reports whether two quantities have the same value, in whatever notation. */
export function equalQuantities(left: Quantity, right: Quantity): boolean {
  return left.mantissa === right.mantissa && left.exponent === right.exponent;
}

/**
 * Reports whether upstream's types store two quantities in the same way. `reflect.DeepEqual` compares these forms,
 * in which texts with the same value may differ.
 *
 * @param left - any JSON value; a value that is not a quantity equals nothing else
 * @example deepEqualQuantities("8192Mi", "8Gi") // => true
 * @example deepEqualQuantities("1024Mi", "1Gi") // => false
 */
export function deepEqualQuantities(left: unknown, right: unknown): boolean {
  const leftForm = getStoredForm(left);
  return leftForm !== undefined && leftForm === getStoredForm(right);
}

type Format = "Decimal" | "Exponent" | "Binary";

/** A quantity as written: `digits × 10^scale × 2^binaryPower`. */
interface QuantityParts {
  /** Without surrounding white space. */
  readonly text: string;
  readonly format: Format;
  readonly isNegative: boolean;
  /** Integer digits without leading zeros, or one zero, followed by the digits of the fraction. */
  readonly digits: string;
  readonly scale: number;
  readonly binaryPower: number;
  /** Whether upstream stores it as a 64-bit integer and a scale. */
  readonly isSmall: boolean;
  readonly keptAsWritten: boolean;
}

const syntax =
  /^(?<sign>[+-]?)(?<integer>\d*)(?:\.(?<fraction>\d*))?(?<suffix>[numkMGTPE]|[KMGTPE]i|[eE][+-]?\d+)?$/;

const decimalSuffixes = ["n", "u", "m", "", "k", "M", "G", "T", "P", "E"];
const binarySuffixes = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];

const maxLength = 1024;
const smallestExponent = -9;
const largestBinary = 2n ** 63n - 1n;
/** The maximum number of digits that upstream stores in 64 bits. A binary number has three for each power of 1024. */
const maxSmallDigits = 18;
const maxSmallBinaryDigits = 14;

function readWritten(quantity: unknown): QuantityParts | undefined {
  const text = typeof quantity === "number" ? JSON.stringify(quantity) : quantity;
  return typeof text === "string" ? readText(withoutBlanksAround(text)) : undefined;
}

function readText(text: string): QuantityParts | undefined {
  const parts = text !== "" && text.length <= maxLength ? syntax.exec(text)?.groups : undefined;
  const suffix = suffixMeaning(parts?.suffix ?? "");
  if (parts === undefined || suffix === undefined) return undefined;
  const { sign, integer = "", fraction = "" } = parts;
  const { format, binaryPower } = suffix;
  const digits = (integer.replace(/^0+/, "") || "0") + fraction;
  const scale = suffix.exponent - fraction.length;
  const isSmall =
    format === "Binary"
      ? fraction === "" && digits.length + (binaryPower / 10) * 3 <= maxSmallBinaryDigits
      : digits.length <= maxSmallDigits && scale >= smallestExponent;
  // Without a number before the suffix, only 64-bit values count as zero.
  if (!isSmall && integer + fraction === "") return undefined;
  return {
    text,
    format,
    isNegative: sign === "-",
    digits,
    scale,
    binaryPower,
    isSmall,
    keptAsWritten: text === "0" || (isSmall && keepsText(format, digits, scale)),
  };
}

/** Returns the factor of a suffix. `undefined` if its exponent is out of range. */
function suffixMeaning(
  suffix: string,
): (Pick<QuantityParts, "format" | "binaryPower"> & { exponent: number }) | undefined {
  const decimal = decimalSuffixes.indexOf(suffix);
  if (decimal >= 0) return { format: "Decimal", binaryPower: 0, exponent: 3 * decimal - 9 };
  const binary = binarySuffixes.indexOf(suffix);
  if (binary > 0) return { format: "Binary", binaryPower: 10 * binary, exponent: 0 };
  const exponent = Number(suffix.slice(1));
  return isInt32(exponent) ? { format: "Exponent", binaryPower: 0, exponent } : undefined;
}

/** Reports whether upstream keeps the text of a small quantity because it looks canonical. */
function keepsText(format: Format, digits: string, scale: number): boolean {
  if (format === "Binary") return BigInt(digits) % 8n !== 0n;
  return scale % 3 === 0 && !digits.endsWith("000") && !digits.startsWith("0");
}

type Value = Pick<Quantity, "mantissa" | "exponent">;

function parseAmount(written: QuantityParts): Value {
  const digits = BigInt(written.digits) << BigInt(written.binaryPower);
  const rounded = roundedUp(digits, written.scale);
  const isCapped = written.format === "Binary" && exceedsBinaryRange(rounded);
  const { mantissa, exponent } = isCapped ? { mantissa: largestBinary, exponent: 0 } : rounded;
  return { mantissa: written.isNegative ? -mantissa : mantissa, exponent };
}

/** Rounds to nine decimal places, away from zero. Trailing zeros move into the exponent. */
function roundedUp(mantissa: bigint, exponent: number): Value {
  if (mantissa === 0n) return { mantissa, exponent: 0 };
  const digits = mantissa.toString();
  const excess = Math.max(0, smallestExponent - exponent);
  if (excess >= digits.length) return { mantissa: 1n, exponent: smallestExponent };
  const truncated = BigInt(digits.slice(0, digits.length - excess));
  const isExact = /^0*$/.test(digits.slice(digits.length - excess));
  return withoutTrailingZeros(isExact ? truncated : truncated + 1n, exponent + excess);
}

function withoutTrailingZeros(mantissa: bigint, exponent: number): Value {
  const digits = mantissa.toString();
  let end = digits.length;
  while (digits[end - 1] === "0") end -= 1;
  if (end === digits.length) return { mantissa, exponent };
  return { mantissa: BigInt(digits.slice(0, end)), exponent: exponent + digits.length - end };
}

function exceedsBinaryRange(value: Value): boolean {
  return (
    mantissaAt(value, Math.min(0, value.exponent)) > largestBinary * powerOfTen(-value.exponent)
  );
}

function canonicalText(value: Value, format: Format): string {
  if (value.mantissa === 0n) return "0";
  return (format === "Binary" ? binaryText(value) : undefined) ?? decimalText(value, format);
}

/** Returns the text with a binary suffix, unless the value is a fraction or below 1024. */
function binaryText({ mantissa, exponent }: Value): string | undefined {
  if (exponent < 0) return undefined;
  let count = mantissa * powerOfTen(exponent);
  if (count > -1024n && count < 1024n) return undefined;
  let power = 0;
  while (count % 1024n === 0n) {
    count /= 1024n;
    power += 1;
  }
  return `${count}${binarySuffixes[power]}`;
}

function decimalText(value: Value, format: Format): string {
  const exponent = Math.floor(value.exponent / 3) * 3;
  const count = mantissaAt(value, exponent);
  if (format === "Exponent") return exponent === 0 ? `${count}` : `${count}e${exponent}`;
  // Upstream has no suffix beyond E and then prints none: 1000E, which equals 1e21, becomes `1`.
  return `${count}${decimalSuffixes[exponent / 3 + 3] ?? ""}`;
}

/**
 * Returns how upstream's types store a quantity: as its text if that is kept, otherwise as a number in one of two
 * forms.
 */
function getStoredForm(quantity: unknown): string | undefined {
  const written = readWritten(quantity);
  if (written === undefined) return undefined;
  if (written.keptAsWritten) return written.text;
  const { format, isNegative, digits, scale, binaryPower } = written;
  if (written.isSmall) {
    const count = BigInt(digits) << BigInt(binaryPower);
    return `${format} small ${isNegative ? -count : count} ${scale}`;
  }
  const value = parseAmount(written);
  const isBelowOne = value.exponent + digitCount(value) <= 0;
  const heldFormat = format === "Binary" && isBelowOne ? "Decimal" : format;
  // All values except zero are scaled to nine decimal places.
  return `${heldFormat} large ${value.mantissa} ${value.mantissa === 0n ? scale : value.exponent}`;
}

function digitCount({ mantissa }: Value): number {
  return mantissa.toString().length - (mantissa < 0n ? 1 : 0);
}

/** Returns the mantissa for an exponent that is not larger than the value's own. */
function mantissaAt({ mantissa, exponent }: Value, lower: number): bigint {
  return mantissa * powerOfTen(exponent - lower);
}

/** Returns a power of ten, or 1 for a negative exponent. */
function powerOfTen(exponent: number): bigint {
  return exponent > 0 ? 10n ** BigInt(exponent) : 1n;
}

// Tabs and line breaks are not blanks here. A JSON string cannot contain them unescaped, and upstream reads the string
// before it resolves escapes.
const blank = /[ \u0085\p{Z}]/u;

function withoutBlanksAround(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && blank.test(text.charAt(start))) start += 1;
  while (end > start && blank.test(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}
