import { isDeepStrictEqual } from "node:util";
import { isObject } from "@jobset-ts/api/kubernetes";

/** A difference between two JSON values. */
export interface JsonDifference {
  /** The path, as in `spec.template.metadata.labels[app]`. */
  readonly field: string;
  /** The old value. Absent if it does not exist. */
  readonly from?: unknown;
  /** The new value. Absent if it does not exist. */
  readonly to?: unknown;
}

/**
 * Lists the differences between two JSON values, in the order of the members. Elements of a list correspond by their
 * `type` or `name`, otherwise by their index. A value that exists on one side only is one difference.
 */
export function listJsonDifferences(
  from: unknown,
  to: unknown,
  field = "",
): readonly JsonDifference[] {
  if (isDeepStrictEqual(from, to)) return [];
  const [before, after] = [toMembers(from), toMembers(to)];
  if (before === undefined || after === undefined || before.isList !== after.isList) {
    return [createDifference(field, from, to)];
  }
  const keys = new Set([...before.members.keys(), ...after.members.keys()]);
  return [...keys].flatMap((key) =>
    listJsonDifferences(
      before.members.get(key),
      after.members.get(key),
      appendStep(field, key, before.isList),
    ),
  );
}

interface Members {
  readonly isList: boolean;
  readonly members: ReadonlyMap<string, unknown>;
}

/** Returns the members of an object, or the elements of a list by their keys. */
function toMembers(value: unknown): Members | undefined {
  if (Array.isArray(value)) {
    const keys = value.map((element, index) => getElementKey(element) ?? `${index}`);
    if (new Set(keys).size < keys.length) return undefined;
    return { isList: true, members: new Map(keys.map((key, index) => [key, value[index]])) };
  }
  if (!isObject(value)) return undefined;
  return { isList: false, members: new Map(Object.entries(value)) };
}

function getElementKey(element: unknown): string | undefined {
  if (!isObject(element)) return undefined;
  const { type, name } = element as { readonly type?: unknown; readonly name?: unknown };
  return [type, name].find((key): key is string => typeof key === "string");
}

function appendStep(field: string, key: string, isElement: boolean): string {
  if (isElement || !/^[\w$-]+$/.test(key)) return `${field}[${key}]`;
  return field === "" ? key : `${field}.${key}`;
}

function createDifference(field: string, from: unknown, to: unknown): JsonDifference {
  return { field, ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
}
