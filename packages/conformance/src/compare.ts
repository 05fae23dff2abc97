import { isPlainObject } from "./normalise.ts";

/** One place where our answer is not the recorded one. */
export interface Difference {
  /** Where, from the case: `output.jobs[3].metadata.labels["x"]`. */
  readonly path: string;
  /** What differs there, values shortened: `expected "1", got "2"`. */
  readonly text: string;
}

/** How the comparison may be told to look away. */
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
  compareAt({ path: "output", key: "" }, expected, actual, { found, options });
  return found;
}

interface Place {
  readonly path: string;
  readonly key: string;
}

interface Comparison {
  readonly found: Difference[];
  readonly options: CompareOptions;
}

function compareAt(place: Place, expected: unknown, actual: unknown, comparison: Comparison) {
  if (expected === actual || comparison.found.length >= MAX_DIFFERENCES) return;
  if (Array.isArray(expected) && Array.isArray(actual)) {
    compareLists(place, expected, actual, comparison);
  } else if (isPlainObject(expected) && isPlainObject(actual)) {
    compareObjects(place, expected, actual, comparison);
  } else if (!sayTheSame(place, expected, actual, comparison.options)) {
    const { before, after } = shown(expected, actual);
    comparison.found.push({ path: place.path, text: `expected ${before}, got ${after}` });
  }
}

function compareLists(
  place: Place,
  expected: readonly unknown[],
  actual: readonly unknown[],
  comparison: Comparison,
) {
  if (expected.length !== actual.length) {
    const text = `expected ${counted(expected.length)}, got ${counted(actual.length)}`;
    comparison.found.push({ path: place.path, text });
  }
  const longer = Math.max(expected.length, actual.length);
  for (let index = 0; index < longer; index += 1) {
    if (comparison.found.length >= MAX_DIFFERENCES) return;
    const element = { path: `${place.path}[${index}]`, key: "" };
    compareAt(element, expected[index], actual[index], comparison);
  }
}

function counted(length: number): string {
  return length === 1 ? "1 element" : `${length} elements`;
}

function compareObjects(
  place: Place,
  expected: Readonly<Record<string, unknown>>,
  actual: Readonly<Record<string, unknown>>,
  comparison: Comparison,
) {
  const member = (key: string) => ({ path: `${place.path}${memberPath(key)}`, key });
  for (const key of Object.keys(expected)) {
    compareAt(member(key), expected[key], ownMember(actual, key), comparison);
  }
  for (const key of Object.keys(actual)) {
    if (!Object.hasOwn(expected, key)) {
      compareAt(member(key), undefined, actual[key], comparison);
    }
  }
}

/** Foreign keys may be called `constructor` or `__proto__`. */
function ownMember(object: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

function memberPath(key: string): string {
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
function shown(expected: unknown, actual: unknown): { before: string; after: string } {
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
  return `…${shortened(JSON.stringify(text.slice(start)))}`;
}

function valueText(value: unknown): string {
  if (value === undefined) return "nothing";
  return shortened(jsonText(value) ?? foreignText(value));
}

/** `undefined` for what JSON cannot hold. */
function jsonText(value: unknown): string | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : undefined;
  if (typeof value === "object" && value !== null) {
    if (!Array.isArray(value) && !isPlainObject(value)) return undefined;
  }
  if (typeof value === "bigint") return undefined;
  return JSON.stringify(value);
}

function foreignText(value: unknown): string {
  if (typeof value === "number") return String(value);
  if (typeof value !== "object" || value === null) return `a ${typeof value}`;
  return `an instance of ${value.constructor?.name ?? "a class"}`;
}

function shortened(text: string): string {
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}…`;
}
