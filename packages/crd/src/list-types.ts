import {
  duplicate,
  type FieldError,
  invalid,
  type TruncatedErrors,
  truncateErrors,
} from "@jobset-ts/api/errors";
import { isObject, type JsonObject } from "@jobset-ts/api/kubernetes";

import { badValueText, goJson } from "./go-text.ts";
import { isArray, jsonKind, setMember } from "./json-kind.ts";
import { elementPath, fieldText, mapKeyPath, memberPath, type Path } from "./path.ts";
import { createNode, isMapKey, memberNode, type SchemaNode } from "./schema-node.ts";
import type { StructuralSchema } from "./structural-schema.ts";

/**
 * Returns the duplicates in lists: elements of a `set`, keys of a `map`. A key is reported once, at its second
 * occurrence. If a `map` contains anything but objects, only that is reported.
 *
 * @param old - the valid old object; parts that both share are skipped
 * @see Kubernetes `apiextensions-apiserver/pkg/apiserver/schema/listtype`
 */
export function listTypeErrors(
  value: unknown,
  schema: StructuralSchema,
  old?: unknown,
): TruncatedErrors<FieldError> {
  const found = truncateErrors();
  const node = createNode(schema);
  if (node.holdsUniqueLists) checkBelow(value, node, undefined, old, found);
  return found;
}

/** Expects that this list or a list below it must have unique elements. */
function checkBelow(
  value: unknown,
  node: SchemaNode,
  path: Path,
  old: unknown,
  found: TruncatedErrors<FieldError>,
) {
  if (value === old) return;
  if (isArray(value)) {
    checkList(value, node, path, found);
    if (node.items?.holdsUniqueLists !== true) return;
    const oldList = isArray(old) ? old : [];
    for (let index = 0; index < value.length; index += 1) {
      checkBelow(value[index], node.items, elementPath(path, index), oldList[index], found);
    }
  } else if (isObject(value)) {
    for (const name of Object.keys(value)) {
      const below = memberNode(node, name);
      if (below?.holdsUniqueLists !== true) continue;
      const at = isMapKey(node, name) ? mapKeyPath(path, name) : memberPath(path, name);
      const oldMember = isObject(old) && Object.hasOwn(old, name) ? old[name] : undefined;
      checkBelow(value[name], below, at, oldMember, found);
    }
  }
}

function checkList(
  list: readonly unknown[],
  { schema, listMapKeys }: SchemaNode,
  path: Path,
  found: TruncatedErrors<FieldError>,
) {
  if (listMapKeys !== undefined) {
    checkListMap(list, listMapKeys, path, found);
  } else if (schema["x-kubernetes-list-type"] === "set") {
    addDuplicateError(list, (index) => list[index], path, found);
  }
}

function checkListMap(
  list: readonly unknown[],
  keys: readonly string[],
  path: Path,
  found: TruncatedErrors<FieldError>,
) {
  const invalidIndex = list.findIndex(
    (element) => !isObject(element) && jsonKind(element) !== "null",
  );
  if (invalidIndex !== -1) {
    const element = list[invalidIndex];
    const detail = "must be an object for an array of list-type map";
    found.add(() => {
      const field = fieldText(elementPath(path, invalidIndex));
      return invalid(field, element, detail, badValueText(element));
    });
    return;
  }
  const [key] = keys;
  const compared = list.map((element) =>
    keys.length === 1 && key !== undefined ? ownMember(element, key) : keyMembers(element, keys),
  );
  addDuplicateError(compared, (index) => keyMembers(list[index], keys), path, found);
}

function ownMember(element: unknown, name: string): unknown {
  return isObject(element) && Object.hasOwn(element, name) ? element[name] : undefined;
}

/** Returns the key members of an element. */
function keyMembers(element: unknown, keys: readonly string[]): JsonObject {
  const members: Record<string, unknown> = {};
  if (!isObject(element)) return members;
  for (const key of keys) {
    if (Object.hasOwn(element, key)) setMember(members, key, element[key]);
  }
  return members;
}

/** A duplicate value is rejected at its second occurrence, printed as `shownAt` defines. */
function addDuplicateError(
  values: readonly unknown[],
  shownAt: (index: number) => unknown,
  path: Path,
  found: TruncatedErrors<FieldError>,
) {
  if (values.length < 2) return;
  const scalars = new Map<unknown, number>();
  const texts = new Map<unknown, number>();
  for (const [index, value] of values.entries()) {
    const isCompound = isArray(value) || isObject(value);
    const seen = isCompound ? texts : scalars;
    const identity = isCompound ? goJson(value) : value;
    const times = (seen.get(identity) ?? 0) + 1;
    seen.set(identity, times);
    if (times !== 2) continue;
    found.add(() => {
      const repeated = shownAt(index);
      return duplicate(fieldText(elementPath(path, index)), repeated, badValueText(repeated));
    });
  }
}
