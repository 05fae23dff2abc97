// Detects unexpected changes by a mutating webhook.

import { normalForm, withoutForeignMetadata } from "./normal-form.ts";
import type { WebhookViolation } from "./webhook-law.ts";
import type { ReviewedKind } from "./webhook-request.ts";

/** The path of a field in an object. */
export type ObjectPath = readonly string[];

/**
 * Returns the first path with an unexpected change, if any.
 *
 * Clients that write objects with Go types add empty fields: nulls, zeros, empty strings, lists and objects. New ones
 * do not count, and neither does a removed null.
 *
 * @param due - paths that may change, including everything below them
 */
export function findUnexpectedChange(
  before: unknown,
  after: unknown,
  due: readonly ObjectPath[],
  at: ObjectPath = [],
): ObjectPath | undefined {
  if (due.some((place) => isSamePlace(place, at))) return undefined;
  if (!isContainer(before) || !isContainer(after)) {
    return Object.is(before ?? null, after ?? null) ? undefined : at;
  }
  if (Array.isArray(before) !== Array.isArray(after)) return at;
  if (Array.isArray(before) && before.length !== Object.keys(after).length) return at;
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  for (const name of names) {
    const place = [...at, name];
    const old = Object.hasOwn(before, name) ? before[name] : undefined;
    const next = Object.hasOwn(after, name) ? after[name] : undefined;
    const found =
      (old ?? undefined) === undefined
        ? findUnexpectedValue(next, due, place)
        : findUnexpectedChange(old, next, due, place);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Returns the result of {@link findUnexpectedChange} after a webhook call as a violation. Equivalent formats count as equal. Labels,
 * annotations and finalizers that the webhook adds for its own purposes do not count.
 *
 * @param sent - the object in the first request, if the webhook was called several times
 */
export function checkUnexpectedChange(
  kind: ReviewedKind,
  before: unknown,
  after: unknown,
  due: readonly ObjectPath[],
  sent = before,
): WebhookViolation | undefined {
  const [old, next] = [before, after].map((one) =>
    normalForm(withoutForeignMetadata(one, sent), kind),
  );
  const place = findUnexpectedChange(old, next, due);
  if (place === undefined) return undefined;
  const [was, is] = [before, after].map((one) => sortedJson(getMemberAt(one, place)));
  return { actual: `${formatPath(place)} becomes ${is}`, expected: `${was}, unchanged` };
}

/** Returns the first path in a new value that is neither empty nor expected. */
function findUnexpectedValue(
  value: unknown,
  due: readonly ObjectPath[],
  at: ObjectPath,
): ObjectPath | undefined {
  if (due.some((place) => isSamePlace(place, at))) return undefined;
  if (!isContainer(value)) return value === undefined || isVoid(value, at) ? undefined : at;
  for (const [name, member] of Object.entries(value)) {
    const found = findUnexpectedValue(member, due, [...at, name]);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Maps with user-defined keys. An entry with an empty value counts. */
const mapNames: ReadonlySet<string | undefined> = new Set([
  "labels",
  "annotations",
  "nodeSelector",
]);

function isVoid(value: unknown, at: ObjectPath): boolean {
  if (value === "") return !mapNames.has(at.at(-2));
  return value === null || value === 0;
}

function isSamePlace(one: ObjectPath, other: ObjectPath): boolean {
  return one.length === other.length && one.every((name, index) => name === other[index]);
}

function isContainer(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

/** Returns the field at a path, or undefined. */
export function getMemberAt(object: unknown, place: ObjectPath): unknown {
  return place.reduce<unknown>(
    (value, name) => (isContainer(value) && Object.hasOwn(value, name) ? value[name] : undefined),
    object,
  );
}

/** Formats a path for people. */
export function formatPath(place: ObjectPath): string {
  return place
    .map((name) =>
      /^[0-9]+$/.test(name) ? `[${name}]` : /[./]/.test(name) ? `["${name}"]` : `.${name}`,
    )
    .join("")
    .replace(/^\./, "");
}

/** Returns JSON with sorted keys, to compare values and to show them in one line. */
export function sortedJson(value: unknown): string {
  return (
    JSON.stringify(value, (_, part: unknown) =>
      isContainer(part) && !Array.isArray(part)
        ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
        : part,
    ) ?? "nothing"
  );
}
