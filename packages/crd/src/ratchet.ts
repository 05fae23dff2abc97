import { isEqualJson, isObject, type JsonObject } from "@jobset-ts/api/kubernetes";

import { isArray } from "./json-kind.ts";
import { type ElementsByKey, elementsByKey, haveUniqueKeys } from "./list-keys.ts";
import { memberNode, type SchemaNode } from "./schema-node.ts";

/** The previous value at the same path. `undefined` if there is none or if it cannot be identified. */
export type OldValue = unknown;

/**
 * Compares a value with the old object of an update, to tolerate ("ratchet") errors that existed before. It caches
 * results, so a comparison at every level of a value costs little more than one at the root. Each update has its own
 * ratchet.
 *
 * @see Kubernetes `apiserver/pkg/cel/common.CorrelatedObject`
 */
export interface Ratchet {
  /** Returns the old value of a member. A name that the schema does not know has none. */
  oldMember(old: OldValue, name: string, node: SchemaNode): OldValue;
  /**
   * Returns the old value of a list's element: the element with the same keys. Elements of a list without keys have
   * none.
   */
  oldElement(old: OldValue, element: unknown, node: SchemaNode): OldValue;
  /**
   * Reports whether a value is unchanged. Lists with keys are compared element by element, in any order. In them, an
   * element without its keys is never unchanged, and neither is an object with unknown members.
   */
  isUnchanged(value: unknown, old: OldValue, node: SchemaNode): boolean;
}

/**
 * Reports whether a member may have an old value. The old and the new object are read as the same version, so an
 * invalid `apiVersion` or `kind` is always a new error.
 */
export function mayHavePast(name: string, isAtRoot: boolean): boolean {
  return !isAtRoot || (name !== "apiVersion" && name !== "kind");
}

interface CachedComparison {
  readonly old: unknown;
  readonly node: SchemaNode;
  readonly unchanged: boolean;
}

interface Index {
  readonly keys: readonly string[];
  readonly find: ElementsByKey;
}

/** Returns a ratchet for one update. */
export function startRatchet(): Ratchet {
  // An object may occur at several paths, so a cached result applies only to the same comparison.
  const results = new Map<unknown, CachedComparison>();
  const indexes = new Map<readonly unknown[], Index>();

  function oldMember(old: OldValue, name: string, node: SchemaNode): OldValue {
    if (!isObject(old) || !Object.hasOwn(old, name)) return undefined;
    return memberNode(node, name) === undefined ? undefined : old[name];
  }

  function oldElement(old: OldValue, element: unknown, node: SchemaNode): OldValue {
    const keys = node.listMapKeys;
    if (keys === undefined || !isArray(old)) return undefined;
    let index = indexes.get(old);
    if (index === undefined || index.keys !== keys) {
      index = { keys, find: elementsByKey(old, keys) };
      indexes.set(old, index);
    }
    return index.find(element);
  }

  function isUnchanged(value: unknown, old: OldValue, node: SchemaNode): boolean {
    if (typeof value !== "object" || value === null) return value === old;
    const known = results.get(value);
    if (known !== undefined && known.old === old && known.node === node) return known.unchanged;
    const unchanged = isSame(value, old, node);
    results.set(value, { old, node, unchanged });
    return unchanged;
  }

  function isSame(value: unknown, old: OldValue, node: SchemaNode): boolean {
    if (value === old && node.equalsItself) return true;
    if (isArray(value)) return isArray(old) && isSameList(value, old, node);
    if (isObject(value)) return isObject(old) && isSameObject(value, old, node);
    return value === old;
  }

  function isSameList(list: readonly unknown[], old: readonly unknown[], node: SchemaNode) {
    if (list.length !== old.length) return false;
    const { listMapKeys, items } = node;
    if (listMapKeys === undefined || items === undefined) return isEqualJson(list, old);
    if (list === old && haveUniqueKeys(list, listMapKeys)) {
      return list.every((element) => isSame(element, element, items));
    }
    return list.every((element) => {
      const before = oldElement(old, element, node);
      return before !== undefined && isUnchanged(element, before, items);
    });
  }

  function isSameObject(object: JsonObject, old: JsonObject, node: SchemaNode): boolean {
    const names = Object.keys(object);
    if (names.length !== Object.keys(old).length) return false;
    return names.every((name) => {
      const below = memberNode(node, name);
      return (
        below !== undefined && Object.hasOwn(old, name) && isSame(object[name], old[name], below)
      );
    });
  }

  return { oldMember, oldElement, isUnchanged };
}
