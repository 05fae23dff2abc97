import { isObject } from "./reading.ts";

/** A member that an update sets; without a value it is removed. */
export interface MemberChange {
  readonly path: readonly string[];
  readonly value?: unknown;
}

/** An object with some members set or removed; all that is not on the way to them is shared with the original. */
export function applyChanges<Value extends object>(
  object: Value,
  changes: readonly MemberChange[],
): Value {
  return changes.reduce((next, { path, value }) => withMember(next, path, value), object);
}

function withMember<Value extends object>(
  object: Value,
  [name, ...rest]: readonly string[],
  value: unknown,
): Value {
  if (name === undefined) return object;
  const members = { ...object } as Record<string, unknown>;
  if (rest.length === 0) {
    if (value === undefined) delete members[name];
    else members[name] = value;
  } else {
    const inner = members[name];
    if (value === undefined && !isObject(inner as object)) return object;
    members[name] = withMember(isObject(inner as object) ? (inner as object) : {}, rest, value);
  }
  return members as Value;
}
