import { isObject } from "@jobset-ts/api/kubernetes";

import { jsonKind } from "./json-kind.ts";

/** Finds the element of another list that has the same keys. */
export type ElementsByKey = (element: unknown) => unknown;

/**
 * Indexes the elements of a list by `keys`. If several elements have the same keys, the first one counts. An element
 * that is not an object, lacks a key, or has a key that is not a scalar is not part of the index.
 *
 * @see Kubernetes `apiserver/pkg/cel/common.MakeMapList`
 */
export function elementsByKey(list: readonly unknown[], keys: readonly string[]): ElementsByKey {
  const byKey = new Map<unknown, unknown>();
  for (const element of list) {
    const key = getListKey(element, keys);
    if (key !== undefined && !byKey.has(key)) byKey.set(key, element);
  }
  return (element) => byKey.get(getListKey(element, keys));
}

/** Reports whether every element of a list has keys, and no two have the same. */
export function haveUniqueKeys(list: readonly unknown[], keys: readonly string[]): boolean {
  const [first] = list;
  if (list.length === 1) return getListKey(first, keys) !== undefined;
  const found = new Set<unknown>();
  for (const element of list) {
    const key = getListKey(element, keys);
    if (key === undefined || found.has(key)) return false;
    found.add(key);
  }
  return true;
}

/** A single key is used directly. Several keys are joined into one text, each formatted by its type. */
function getListKey(element: unknown, keys: readonly string[]): unknown {
  const [only] = keys;
  if (!isObject(element) || only === undefined) return undefined;
  if (keys.length === 1) {
    const value = Object.hasOwn(element, only) ? element[only] : undefined;
    return isScalar(value) ? value : undefined;
  }
  const values: unknown[] = [];
  for (const key of keys) {
    const value = Object.hasOwn(element, key) ? element[key] : undefined;
    if (!isScalar(value)) return undefined;
    values.push(value);
  }
  return JSON.stringify(values.map(roundNumber));
}

function isScalar(value: unknown): boolean {
  const kind = jsonKind(value);
  return kind !== "null" && kind !== "array" && kind !== "object";
}

/** If there are several keys, upstream compares fractions to six digits. */
function roundNumber(value: unknown): unknown {
  return jsonKind(value) === "number" ? [(value as number).toFixed(6)] : value;
}
