import { isPlainObject } from "./normalise.ts";

/** One place where our answer is not the recorded one. */
export interface Difference {
  /** Where, from the case: `output.jobs[3].metadata.labels["x"]`. */
  readonly path: string;
  /** What differs there, values shortened: `expected "1", got "2"`. */
  readonly text: string;
}

/** What the comparison may ignore. */
export interface CompareOptions {
  /**
   * Whether two texts that differ say the same all the same; by default none do.
   *
   * @param key - the member that holds them, `""` in a list
   */
  readonly sameText?: (expected: string, actual: string, key: string) => boolean;
}

/** Behind this many differences a case is wrong altogether, and more of them tell nothing. */
const MAX_DIFFERENCES = 100;

/**
 * Where two JSON values differ, in the order of the expected one; empty when they are the same.
 *
 * The order of members does not count, the order of list elements does. A member that is `undefined` in the
 * actual value is absent, as it would be on the wire; whatever else JSON cannot hold (an instance of a class, NaN)
 * is a difference. At most {@link MAX_DIFFERENCES} are listed.
 *
 * @example differences({ a: [1, 2] }, { a: [1, 3] }) // => [{ path: "output.a[1]", text: "expected 2, got 3" }]
 */
export function differences(
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
    } else if (!sayTheSame(place, expected, actual, options)) {
      const { before, after } = formatBoth(expected, actual);
      found.push({ path: getPath(place), text: `expected ${before}, got ${after}` });
    }
  }
  return found;
}

/** So that the first is taken next. One by one: a call does not take as many arguments as a list may have elements. */
function pushReversed(pending: Pair[], pairs: readonly Pair[]) {
  for (let index = pairs.length - 1; index >= 0; index -= 1) {
    const pair = pairs[index];
    if (pair !== undefined) pending.push(pair);
  }
}

/** Two values that are to be the same. */
interface Pair {
  readonly place: Place;
  readonly expected: unknown;
  readonly actual: unknown;
}

/** Where a value stands. The path is only put together where there is something to report. */
interface Place {
  readonly parent?: Place;
  readonly step: string;
  /** The name of the member, `""` for an element. */
  readonly key: string;
}

function getPath(place: Place): string {
  const steps: string[] = [];
  for (let at: Place | undefined = place; at !== undefined; at = at.parent) steps.push(at.step);
  return steps.reverse().join("");
}

function elementPairs(
  parent: Place,
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
  parent: Place,
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

/** Foreign keys may be called `constructor` or `__proto__`. */
function ownMember(object: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

function memberStep(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}

function sayTheSame(
  place: Place,
  expected: unknown,
  actual: unknown,
  { sameText }: CompareOptions,
): boolean {
  if (sameText === undefined) return false;
  if (typeof expected !== "string" || typeof actual !== "string") return false;
  return sameText(expected, actual, place.key);
}

/** Characters of a value that a difference shows. */
const SHOWN = 160;
/** Of these, how many stand before the first character that differs. */
const CONTEXT = 60;

/** Both values as JSON; of two long texts the part where they part. */
function formatBoth(expected: unknown, actual: unknown): { before: string; after: string } {
  if (typeof expected === "string" && typeof actual === "string") {
    const start = Math.max(0, firstDifference(expected, actual) - CONTEXT);
    if (start > 0 && Math.max(expected.length, actual.length) > SHOWN) {
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

/** `undefined` for what JSON cannot hold. */
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
    return undefined; // nested too deeply, or in a circle
  }
}

function foreignText(value: unknown): string {
  if (typeof value === "number") return String(value);
  if (typeof value !== "object" || value === null) return `a ${typeof value}`;
  if (Array.isArray(value) || isPlainObject(value)) return "a value that cannot be printed";
  return `an instance of ${value.constructor?.name ?? "a class"}`;
}

function shortenText(text: string): string {
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}…`;
}
