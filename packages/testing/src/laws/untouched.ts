// What a mutating webhook did to an object besides what it was to do.
import type { ReviewedKind } from "./asked.ts";
import { normalForm, withoutForeignMetadata } from "./normal-form.ts";
import type { WebhookViolation } from "./webhook-law.ts";

/** A place in an object: the names on the way to it. */
export type Place = readonly string[];

/**
 * The first place at which something differs that a webhook had no business with; `undefined` when there is none.
 *
 * Who writes an object as Go's types have it adds members that say nothing: nulls, zeros, empty texts, lists and objects.
 * They do not count when they are new; nor does a null that goes.
 *
 * @param due - places that may differ, with all that is below them
 */
export function touched(
  before: unknown,
  after: unknown,
  due: readonly Place[],
  at: Place = [],
): Place | undefined {
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
      (old ?? undefined) === undefined ? filled(next, due, place) : touched(old, next, due, place);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * What {@link touched} finds after a webhook was called, as a violation. How members are spelled makes no difference, nor do
 * labels, annotations and finalizers that the webhook adds for its own purposes.
 *
 * @param sent - the object as it was sent first, where the webhook was called several times
 */
export function touchedViolation(
  kind: ReviewedKind,
  before: unknown,
  after: unknown,
  due: readonly Place[],
  sent = before,
): WebhookViolation | undefined {
  const [old, next] = [before, after].map((one) =>
    normalForm(withoutForeignMetadata(one, sent), kind),
  );
  const place = touched(old, next, due);
  if (place === undefined) return undefined;
  const [was, is] = [before, after].map((one) => sortedJson(memberAt(one, place)));
  return { did: `${placeText(place)} becomes ${is}`, due: `${was}, unchanged` };
}

/** The first place in something new that says something, and is not due. */
function filled(value: unknown, due: readonly Place[], at: Place): Place | undefined {
  if (due.some((place) => isSamePlace(place, at))) return undefined;
  if (!isContainer(value)) return value === undefined || isVoid(value, at) ? undefined : at;
  for (const [name, member] of Object.entries(value)) {
    const found = filled(member, due, [...at, name]);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Users' maps, in which an empty text is an entry as good as any. */
const mapNames: ReadonlySet<string | undefined> = new Set([
  "labels",
  "annotations",
  "nodeSelector",
]);

function isVoid(value: unknown, at: Place): boolean {
  if (value === "") return !mapNames.has(at.at(-2));
  return value === null || value === 0;
}

function isSamePlace(one: Place, other: Place): boolean {
  return one.length === other.length && one.every((name, index) => name === other[index]);
}

function isContainer(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

/** The member at a place; `undefined` when there is none. */
export function memberAt(object: unknown, place: Place): unknown {
  return place.reduce<unknown>(
    (value, name) => (isContainer(value) && Object.hasOwn(value, name) ? value[name] : undefined),
    object,
  );
}

/** A place as a person writes it. */
export function placeText(place: Place): string {
  return place
    .map((name) =>
      /^[0-9]+$/.test(name) ? `[${name}]` : /[./]/.test(name) ? `["${name}"]` : `.${name}`,
    )
    .join("")
    .replace(/^\./, "");
}

/** JSON with the members of each object in order, to compare values and show them in a line. */
export function sortedJson(value: unknown): string {
  return (
    JSON.stringify(value, (_, part: unknown) =>
      isContainer(part) && !Array.isArray(part)
        ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
        : part,
    ) ?? "nothing"
  );
}
