import { compareBytes } from "@jobset-ts/api/text";
import { EqualValues } from "./equal-values.ts";
import { getMember, isJsonRecord, type JsonRecord } from "./json-record.ts";

/** One operation of a JSON Patch. Moves, copies and tests are never needed here. */
export type PatchOperation =
  | { readonly op: "add" | "replace"; readonly path: string; readonly value: unknown }
  | { readonly op: "remove"; readonly path: string };

/**
 * Below this depth, a changed part is replaced as a whole, so deep nesting does not exhaust the
 * stack.
 */
const MAX_DEPTH = 500;

/**
 * Returns the operations that turn one JSON value into another.
 *
 * Parts that are the same object are skipped, so the cost of a patch is proportional to the parts that the versions do
 * not share. Operations go depth first, members in byte order of their names. If the length of a list changes, the
 * common elements at its start and end are kept. The elements in between are compared position by position, and
 * surplus ones are added or removed. If this takes more than 100 operations that together are longer than the changed
 * list or object, one operation replaces it. The time is linear in the size of the parts that are not shared.
 *
 * @param from - any JSON value; as in `JSON.stringify`, a member that is `undefined` is absent. An object with its own
 * serialization, such as a `Date`, is one value that equals only itself
 * @param to - any JSON value, whose parts become the `value` of operations: they are shared, not copied
 * @returns nothing when both are equal
 * @see RFC 6902
 * @example createJsonPatch({ a: 1, "b/c": [1, 2] }, { a: 1, "b/c": [0, 1, 2], d: {} }) // => [{ op: "add", path: "/b~1c/0", value: 0 }, { op: "add", path: "/d", value: {} }]
 */
export function createJsonPatch(from: unknown, to: unknown): readonly PatchOperation[] {
  const patch: Patch = { operations: [], equalValues: undefined, sizes: new Map() };
  compare(from, to, { path: "", depth: 0 }, patch);
  return patch.operations;
}

interface Patch {
  readonly operations: PatchOperation[];
  /** Created on first use: most patches compare only identical objects. */
  equalValues: EqualValues | undefined;
  /** The approximate JSON length of objects. */
  readonly sizes: Map<object, number>;
}

/** Up to this number of operations, a patch is not replaced by a single operation. */
const MANY = 100;

interface PatchPosition {
  readonly path: string;
  readonly depth: number;
}

function compare(from: unknown, to: unknown, place: PatchPosition, patch: Patch): void {
  if (from === to) return;
  const isShallow = place.depth < MAX_DEPTH;
  if (isShallow && Array.isArray(from) && Array.isArray(to)) {
    compareLists(from, to, place, patch);
  } else if (isShallow && isJsonRecord(from) && isJsonRecord(to)) {
    compareMembers(from, to, place, patch);
  } else if (!areEqual(from, to, patch)) {
    patch.operations.push({ op: "replace", path: place.path, value: to ?? null });
  }
}

function compareMembers(
  from: JsonRecord,
  to: JsonRecord,
  place: PatchPosition,
  patch: Patch,
): void {
  const names: string[] = [];
  // Inherited members are not JSON. They differ from own members and are skipped.
  for (const name in to) {
    if (from[name] !== to[name] && Object.hasOwn(to, name)) names.push(name);
  }
  for (const name in from) {
    if (from[name] === to[name] || from[name] === undefined) continue;
    if (Object.hasOwn(from, name) && !Object.hasOwn(to, name)) names.push(name);
  }
  if (names.length > 1) names.sort(compareBytes);
  const before = patch.operations.length;
  for (const name of names) {
    const inside = childPlace(place, name);
    const [given, after] = [getMember(from, name), getMember(to, name)];
    if (after === undefined) patch.operations.push({ op: "remove", path: inside.path });
    else if (given !== undefined) compare(given, after, inside, patch);
    else patch.operations.push({ op: "add", path: inside.path, value: after });
  }
  replaceIfShorter(to, place, before, patch);
}

function compareLists(
  from: readonly unknown[],
  to: readonly unknown[],
  place: PatchPosition,
  patch: Patch,
): void {
  const { start, end } = findKeptElements(from, to, patch);
  const fromEnd = from.length - end;
  const toEnd = to.length - end;
  const shared = Math.min(fromEnd, toEnd);
  const before = patch.operations.length;
  for (let index = start; index < shared; index++) {
    if (from[index] !== to[index]) compare(from[index], to[index], childPlace(place, index), patch);
  }
  for (let index = shared; index < toEnd; index++) {
    const { path } = childPlace(place, index);
    patch.operations.push({ op: "add", path, value: to[index] ?? null });
  }
  // Elements are removed from the end, so the indexes of later operations stay valid.
  for (let index = fromEnd - 1; index >= shared; index--) {
    patch.operations.push({ op: "remove", path: childPlace(place, index).path });
  }
  replaceIfShorter(to, place, before, patch);
}

/** Replaces the operations since a position by a single one, if they are many and longer. */
function replaceIfShorter(
  value: object,
  { path }: PatchPosition,
  since: number,
  patch: Patch,
): void {
  const { operations, sizes } = patch;
  if (path === "" || operations.length - since <= MANY) return;
  const whole = operationSize({ op: "replace", path, value }, sizes);
  let size = 0;
  for (let at = since; at < operations.length && size <= whole; at++) {
    size += operationSize(operations[at] as PatchOperation, sizes);
  }
  if (size <= whole) return;
  operations.length = since;
  operations.push({ op: "replace", path, value });
}

/** The length of an operation without its path and value: `{"op":"replace","path":"","value":},`. */
const OPERATION_BYTES = 35;

function operationSize(operation: PatchOperation, sizes: Map<object, number>): number {
  const value = "value" in operation ? measureSize(operation.value, sizes, 0) : 0;
  return OPERATION_BYTES + operation.path.length + value;
}

/** Returns the JSON length of a value without escapes. Each object is measured once. */
function measureSize(value: unknown, sizes: Map<object, number>, depth: number): number {
  if (typeof value === "string") return value.length + 2;
  if (typeof value !== "object" || value === null) return 5;
  const known = sizes.get(value);
  if (known !== undefined) return known;
  let size = 2;
  if (depth < MAX_DEPTH) {
    const isList = Array.isArray(value);
    for (const [name, part] of Object.entries(value)) {
      size += 1 + (isList ? 0 : name.length + 3) + measureSize(part, sizes, depth + 1);
    }
  }
  sizes.set(value, size);
  return size;
}

/**
 * Returns how many elements two lists share at their start and end. Lists of equal length are compared by position,
 * because equal elements need no operation.
 */
function findKeptElements(
  from: readonly unknown[],
  to: readonly unknown[],
  patch: Patch,
): { readonly start: number; readonly end: number } {
  if (from.length === to.length) return { start: 0, end: 0 };
  const most = Math.min(from.length, to.length);
  let start = 0;
  while (start < most && areEqual(from[start], to[start], patch)) start++;
  let end = 0;
  while (end < most - start && areEqual(from.at(-1 - end), to.at(-1 - end), patch)) end++;
  return { start, end };
}

function areEqual(one: unknown, other: unknown, patch: Patch): boolean {
  if (one === other) return true;
  patch.equalValues ??= new EqualValues(MAX_DEPTH);
  return patch.equalValues.areEqual(one, other);
}

function childPlace({ path, depth }: PatchPosition, step: string | number): PatchPosition {
  const token = typeof step === "string" ? escapePointer(step) : step;
  return { path: `${path}/${token}`, depth: depth + 1 };
}

/** Returns a member's name as a step of a JSON Pointer (RFC 6901). */
function escapePointer(name: string): string {
  return name.includes("~") || name.includes("/")
    ? name.replaceAll("~", "~0").replaceAll("/", "~1")
    : name;
}
