import { canonicalQuantity, type JsonObject, parseQuantity } from "@jobset-ts/api/kubernetes";

/** An amount of a resource, in units of 10^-9, and the text in which the API server shows it. */
export interface Amount {
  readonly nanos: bigint;
  readonly text: string;
}

const NANOS_PER_UNIT = 1_000_000_000n;
const NANOS_PER_MILLI = 1_000_000n;

/**
 * Returns the amounts of a list of resources, by name, rounded up to thousandths as the API server does. Values that
 * are not quantities are omitted.
 */
export function readAmounts(resources: JsonObject): ReadonlyMap<string, Amount> {
  const amounts = new Map<string, Amount>();
  for (const name of Object.keys(resources)) {
    const amount = readAmount(resources[name]);
    if (amount !== undefined) amounts.set(name, roundToMillis(amount));
  }
  return amounts;
}

/** Returns the amount of a quantity in these units. */
export function readAmount(quantity: unknown): Amount | undefined {
  const parsed = parseQuantity(quantity);
  if (!parsed.ok) return undefined;
  const { mantissa, exponent, text } = parsed.value;
  // An exponent is at least -9. The API server caps larger amounts, and no rule depends on their value.
  return { nanos: mantissa * 10n ** BigInt(Math.min(exponent, MAX_EXPONENT) + 9), text };
}

const MAX_EXPONENT = 100;

function roundToMillis(amount: Amount): Amount {
  const rest = amount.nanos % NANOS_PER_MILLI;
  if (rest === 0n) return amount;
  const nanos = amount.nanos - rest + (rest > 0n ? NANOS_PER_MILLI : -NANOS_PER_MILLI);
  return { nanos, text: writeLike(amount, nanos) };
}

/** Returns an amount in whole units, rounded away from zero. */
export function roundUpToUnits({ nanos }: Amount): bigint {
  const units = nanos / NANOS_PER_UNIT;
  if (nanos % NANOS_PER_UNIT === 0n) return units;
  return nanos > 0n ? units + 1n : units - 1n;
}

/** Reports whether an amount has no fraction. */
export function isWhole({ nanos }: Amount): boolean {
  return nanos % NANOS_PER_UNIT === 0n;
}

/** Returns the sum of two amounts, in the notation of the first that is not zero. */
export function add(one: Amount, other: Amount): Amount {
  const nanos = one.nanos + other.nanos;
  return { nanos, text: writeLike(one.nanos === 0n ? other : one, nanos) };
}

/** Returns an amount in the notation of another: with binary suffixes, with an exponent, or with decimal suffixes. */
function writeLike({ text }: Amount, nanos: bigint): string {
  const isBinary = text.endsWith("i") && nanos % (1024n * NANOS_PER_UNIT) === 0n;
  const written = isBinary
    ? `${nanos / NANOS_PER_UNIT / 1024n}Ki`
    : `${nanos}${/[eE]\d/.test(text) ? "e-9" : "n"}`;
  return canonicalQuantity(written) ?? written;
}
