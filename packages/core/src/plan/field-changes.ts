import { asArray, isObject } from "../jobset-members.ts";

/** A member that an update sets. Without a value the member is removed. */
export interface FieldChange {
  /** Names of members, and keys of the list elements in between. */
  readonly path: readonly (string | ElementKey)[];
  /** For a list element: the members that are added to it. */
  readonly value?: unknown;
}

/** The list element with this value in the list's merge key, such as `{ name: "main" }` for containers. */
export type ElementKey = { readonly name: string } | { readonly type: string };

/**
 * Returns an object with some members set or removed. Unchanged parts are shared with the original.
 *
 * @example
 * applyChanges({ spec: { suspend: true } }, [{ path: ["spec", "suspend"], value: false }]) // => { spec: { suspend: false } }
 * applyChanges({ spec: { suspend: true } }, [{ path: ["spec", "suspend"] }]) // => { spec: {} }
 */
export function applyChanges<Value extends object>(
  object: Value,
  changes: readonly FieldChange[],
): Value {
  return changes.reduce((next, { path, value }) => changeAt(next, path, value) as Value, object);
}

/** Returns the changes between two maps of strings, entry by entry. */
export function entryChanges(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): readonly FieldChange[] {
  const removed = Object.keys(before).filter((name) => !Object.hasOwn(after, name));
  const set = Object.entries(after).filter(
    ([name, value]) => !Object.hasOwn(before, name) || before[name] !== value,
  );
  return [
    ...removed.map((name) => ({ path: [name] })),
    ...set.map(([name, value]) => ({ path: [name], value })),
  ];
}

/** Returns changes of a part as changes of the object that contains the part at a path. */
export function prefixPaths(
  path: FieldChange["path"],
  changes: readonly FieldChange[],
): readonly FieldChange[] {
  return changes.map((change) => ({ ...change, path: [...path, ...change.path] }));
}

/** Returns a value with a part changed. Removing a missing part changes nothing. */
function changeAt(whole: unknown, [step, ...rest]: FieldChange["path"], value: unknown): unknown {
  if (step === undefined) return value;
  return typeof step === "string"
    ? withMember(whole, step, rest, value)
    : withElement(whole, step, rest, value);
}

function withMember(
  whole: unknown,
  name: string,
  rest: FieldChange["path"],
  value: unknown,
): unknown {
  if (!isObject(whole) && value === undefined) return whole;
  const members = new Map(isObject(whole) ? Object.entries(whole) : []);
  const next = changeAt(members.get(name), rest, value);
  if (next === undefined) members.delete(name);
  else members.set(name, next);
  // fromEntries defines members, so that a member named __proto__ is kept.
  return Object.fromEntries(members);
}

function withElement(
  whole: unknown,
  key: ElementKey,
  rest: FieldChange["path"],
  value: unknown,
): unknown {
  const list = asArray(whole as readonly unknown[]);
  const at = list.findIndex((element) => matchesKey(element, key));
  if (at === -1 && value === undefined) return whole;
  if (rest.length === 0 && value === undefined) return list.filter((one) => !matchesKey(one, key));
  const before = (list[at] ?? key) as object;
  const next =
    rest.length === 0 ? { ...before, ...(value as object) } : changeAt(before, rest, value);
  return at === -1 ? [...list, next] : list.with(at, next);
}

function matchesKey(element: unknown, key: ElementKey): boolean {
  return (
    isObject(element) &&
    Object.entries(key).every(([name, text]) => (element as Record<string, unknown>)[name] === text)
  );
}
