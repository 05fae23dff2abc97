import { goQuote } from "@jobset-ts/api/text";

const MAX_INTEGER = 2n ** 63n - 1n;

/** A list of completion indexes, such as `1,3-5`: their count, or why it is not a valid list. */
export type IndexList =
  | { readonly ok: true; readonly count: number }
  | { readonly ok: false; readonly message: string };

/**
 * Reads a list of completion indexes.
 *
 * @param completions - indexes are below it
 * @see Kubernetes `validateIndexesFormat`
 */
export function readIndexList(text: string, completions: number): IndexList {
  let previous: number | undefined;
  let count = 0;
  for (const part of text === "" ? [] : text.split(",")) {
    const limits = part.split("-");
    if (limits.length > 2) {
      return fail(
        `the fragment ${goQuote(part)} violates the requirement that an index interval can have at most two parts separated by '-'`,
      );
    }
    const interval: number[] = [];
    for (const limit of limits) {
      const index = parseInteger(limit);
      if (index === undefined) {
        return fail(`cannot convert string to integer for index: ${goQuote(limit)}`);
      }
      if (index >= completions) return fail(`too large index: ${goQuote(limit)}`);
      interval.push(index);
    }
    const [first = 0, last = first] = interval;
    if (interval.length > 1 && first >= last) return fail(nonIncreasing(first, last));
    if (previous !== undefined && previous >= first) return fail(nonIncreasing(previous, first));
    count += last - first + 1;
    previous = last;
  }
  return { ok: true, count };
}

function fail(message: string): IndexList {
  return { ok: false, message };
}

function nonIncreasing(previous: number, current: number): string {
  return `non-increasing order, previous: ${previous}, current: ${current}`;
}

/** Go accepts a sign, too. A minus separates the limits of an interval, so only a plus remains. */
function parseInteger(text: string): number | undefined {
  if (!/^\+?\d+$/.test(text) || BigInt(text.replace("+", "")) > MAX_INTEGER) return undefined;
  return Number(text);
}
