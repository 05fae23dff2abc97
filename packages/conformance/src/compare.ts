import { isPlainObject } from "./normalise.ts";

/** One difference between our result and the recorded one. */
export interface Difference {
  /** The path within the case: `output.jobs[3].metadata.labels["x"]`. */
  readonly path: string;
  /** The difference, with truncated values: `expected "1", got "2"`. */
  readonly text: string;
}

/** The options of a comparison. */
export interface CompareOptions {
  /**
   * Returns whether two different texts count as equal. By default, none do.
   *
   * @param key - the name of the member that contains them, or `""` in a list
   */
  readonly sameText?: (expected: string, actual: string, key: string) => boolean;
}

/**
 * With this many differences, a case is completely wrong, and further differences add no
 * information.
 */
const MAX_DIFFERENCES = 100;

/**
 * Lists the differences between two JSON values, in the order of the expected one. Returns an empty list if they are
 * equal.
 *
 * The order of members does not count, the order of list elements does. A member that is `undefined` in the actual
 * value is absent, as in JSON. Any other value that JSON cannot represent (an instance of a class, NaN) is a
 * difference. Lists at most {@link MAX_DIFFERENCES}.
 *
 * @example findDifferences({ a: [1, 2] }, { a: [1, 3] }) // => [{ path: "output.a[1]", text: "expected 2, got 3" }]
 */
export function findDifferences(
  expected: unknown,
  actual: unknown,
  options: CompareOptions = {},
): readonly Difference[] {
  const found: Difference[] = [];
  // An explicit stack, because a value may be nested deeper than the call stack.
  const pending: Pair[] = [{ place: { step: "output", key: "" }, expected, actual }];
  for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
    const { place, expected, actual } = pair;
    if (expected === actual) continue;
    if (found.length === MAX_DIFFERENCES) break;
    if (Array.isArray(expected) && Array.isArray(actual)) {
      if (expected.length !== actual.length) {
        const text = `expected ${formatCount(expected.length)}, got ${formatCount(actual.length)}`;
        found.push({ path: getPath(place), text });
      }
      pushReversed(pending, elementPairs(place, expected, actual));
    } else if (isPlainObject(expected) && isPlainObject(actual)) {
      pushReversed(pending, memberPairs(place, expected, actual));
    } else if (!compareMessages(place, expected, actual, options)) {
      const { before, after } = formatBoth(expected, actual);
      found.push({ path: getPath(place), text: `expected ${before}, got ${after}` });
    }
  }
  return found;
}

/**
 * Reversed, so that the first pair is processed next. Pushed one by one, because a list may have more elements than a
 * call accepts arguments.
 */
function pushReversed(pending: Pair[], pairs: readonly Pair[]) {
  for (let index = pairs.length - 1; index >= 0; index -= 1) {
    const pair = pairs[index];
    if (pair !== undefined) pending.push(pair);
  }
}

/** Two values to compare. */
interface Pair {
  readonly place: ComparedPosition;
  readonly expected: unknown;
  readonly actual: unknown;
}

/** The location of a value. The path is only built if there is a difference to report. */
interface ComparedPosition {
  readonly parent?: ComparedPosition;
  readonly step: string;
  /** The name of the member, or `""` for a list element. */
  readonly key: string;
}

function getPath(place: ComparedPosition): string {
  const steps: string[] = [];
  for (let at: ComparedPosition | undefined = place; at !== undefined; at = at.parent)
    steps.push(at.step);
  return steps.reverse().join("");
}

function elementPairs(
  parent: ComparedPosition,
  expected: readonly unknown[],
  actual: readonly unknown[],
): Pair[] {
  return Array.from({ length: Math.max(expected.length, actual.length) }, (_, index) => ({
    place: { parent, step: `[${index}]`, key: "" },
    expected: expected[index],
    actual: actual[index],
  }));
}

function formatCount(length: number): string {
  return length === 1 ? "1 element" : `${length} elements`;
}

function memberPairs(
  parent: ComparedPosition,
  expected: Readonly<Record<string, unknown>>,
  actual: Readonly<Record<string, unknown>>,
): Pair[] {
  const added = Object.keys(actual).filter((key) => !Object.hasOwn(expected, key));
  return [...Object.keys(expected), ...added].map((key) => ({
    place: { parent, step: memberStep(key), key },
    expected: ownMember(expected, key),
    actual: ownMember(actual, key),
  }));
}

/** Members may be called `constructor` or `__proto__`. */
function ownMember(object: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

function memberStep(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}

function compareMessages(
  place: ComparedPosition,
  expected: unknown,
  actual: unknown,
  { sameText }: CompareOptions,
): boolean {
  if (sameText === undefined) return false;
  if (typeof expected !== "string" || typeof actual !== "string") return false;
  return sameText(expected, actual, place.key);
}

/** The number of characters of a value that a difference shows. */
const MAX_SHOWN_LENGTH = 160;
/** The number of these characters before the first difference. */
const CONTEXT = 60;

/** Formats both values as JSON. Long texts are reduced to the part around their first difference. */
function formatBoth(expected: unknown, actual: unknown): { before: string; after: string } {
  if (typeof expected === "string" && typeof actual === "string") {
    const start = Math.max(0, firstDifference(expected, actual) - CONTEXT);
    if (start > 0 && Math.max(expected.length, actual.length) > MAX_SHOWN_LENGTH) {
      return { before: excerpt(expected, start), after: excerpt(actual, start) };
    }
  }
  return { before: valueText(expected), after: valueText(actual) };
}

function firstDifference(left: string, right: string): number {
  let index = 0;
  while (index < left.length && left[index] === right[index]) index += 1;
  return index;
}

function excerpt(text: string, start: number): string {
  return `…${shortenText(JSON.stringify(text.slice(start)))}`;
}

function valueText(value: unknown): string {
  if (value === undefined) return "nothing";
  return shortenText(jsonText(value) ?? foreignText(value));
}

/** Returns `undefined` for values that JSON cannot represent. */
function jsonText(value: unknown): string | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : undefined;
  if (typeof value === "object" && value !== null) {
    if (!Array.isArray(value) && !isPlainObject(value)) return undefined;
  }
  if (typeof value === "bigint") return undefined;
  return stringifyNested(value);
}

function stringifyNested(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined; // The value is nested too deeply or is circular.
  }
}

function foreignText(value: unknown): string {
  if (typeof value === "number") return String(value);
  if (typeof value !== "object" || value === null) return `a ${typeof value}`;
  if (Array.isArray(value) || isPlainObject(value)) return "a value that cannot be printed";
  return `an instance of ${value.constructor?.name ?? "a class"}`;
}

function shortenText(text: string): string {
  return text.length <= MAX_SHOWN_LENGTH ? text : `${text.slice(0, MAX_SHOWN_LENGTH)}…`;
}
