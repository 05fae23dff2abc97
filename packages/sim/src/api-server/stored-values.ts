import { isObject } from "@jobset-ts/api/kubernetes";
import { type Draft, enablePatches, Immer, type Patch } from "immer";
import { createCopy } from "../with-members.ts";
import { MAX_DEPTH } from "./decoding.ts";

/** What is in the store is our own, so it may be frozen. */
const immer = new Immer({ autoFreeze: true });

/** An object after a change, frozen; the same object when the recipe changes nothing. */
export function editObject<Item extends object>(
  object: Item,
  recipe: (draft: Draft<Item>) => void,
): Item {
  return immer.produce(object, (draft) => {
    recipe(draft);
  });
}

/** Another version of an object, frozen, with all that is equal shared; the same object when all is. */
export function shareUnchanged<Item extends object>(before: Item, after: Item): Item {
  return shareEqualParts(before, after) as Item;
}

/** A value with the parts of another one that are equal. A draft would do the same at ten times the cost. */
function shareEqualParts(before: unknown, after: unknown): unknown {
  if (before === after) return before;
  if (!isObject(before) || !isObject(after))
    return isEqualJson(before, after) ? before : deepFreeze(after);
  const names = Object.keys(after);
  let shared = after as Members;
  let isOther = names.length !== Object.keys(before).length;
  for (const name of names) {
    const [own, wanted] = [(before as Members)[name], (after as Members)[name]];
    const value = shareEqualParts(own, wanted);
    if (value !== wanted) {
      if (shared === after) shared = createCopy(after as Members);
      shared[name] = value;
    }
    if (value !== own || !Object.hasOwn(before, name)) isOther = true;
  }
  return isOther ? Object.freeze(shared) : before;
}

/** What leads from one version of an object to another, and back. */
export function createPatches(
  before: object,
  after: object,
): { readonly patches: readonly Patch[]; readonly inverse: readonly Patch[] } {
  enablePatches();
  const [, patches, inverse] = immer.produceWithPatches(before, (draft) => {
    assignChanges(draft as Members, before as Members, after as Members);
  });
  return { patches, inverse };
}

/**
 * Returns a value as the store keeps it. Frozen parts are shared, all others are copied, so that later changes by the
 * sender have no effect and nothing of the sender is frozen. As over the wire, a member that is `undefined` is absent.
 *
 * @param nullIsNone - whether a member that is `null` is none either, as where Go reads it into a type
 */
export function toStored<Value>(value: Value, nullIsNone: boolean): Value {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  if (Array.isArray(value))
    return Object.freeze(value.map((one) => toStored(one, nullIsNone))) as Value;
  const copy = createCopy(value as Members);
  for (const name of Object.keys(copy)) {
    const member = copy[name];
    if (member === undefined || (member === null && nullIsNone)) delete copy[name];
    else if (typeof member === "object") copy[name] = toStored(member, nullIsNone);
  }
  return Object.freeze(copy) as Value;
}

/**
 * A value that shares nothing with the one given, and is not frozen. Parts that lie deeper than objects may be nested are
 * shared: the API server rejects them.
 */
export function deepCopy<Value>(value: Value, levels = 2 * MAX_DEPTH): Value {
  if (typeof value !== "object" || value === null || levels === 0) return value;
  if (Array.isArray(value)) return value.map((part) => deepCopy(part, levels - 1)) as Value;
  const copy = createCopy(value as Members);
  for (const name of Object.keys(copy)) copy[name] = deepCopy(copy[name], levels - 1);
  return copy as Value;
}

/** An object and all within it, frozen in place. What is frozen already is so to its depth, as everything here. */
export function deepFreeze<Item>(object: Item): Item {
  if (typeof object !== "object" || object === null || Object.isFrozen(object)) return object;
  for (const name of Object.keys(object)) {
    const member = (object as Members)[name];
    if (typeof member === "object") deepFreeze(member);
  }
  return Object.freeze(object);
}

type Members = Record<string, unknown>;

/** Assigns what differs, as deep down as it goes, so that no more is new than has changed. */
function assignChanges(draft: Members, before: Members, wanted: Members): void {
  for (const key of Object.keys(before)) {
    if (!Object.hasOwn(wanted, key)) delete draft[key];
  }
  for (const [key, value] of Object.entries(wanted)) {
    const own = before[key];
    if (isEqualJson(own, value)) continue;
    // Only changed members of a draft are read, because reading creates a draft of them.
    if (isObject(own) && isObject(value))
      assignChanges(draft[key] as Members, own as Members, value as Members);
    else draft[key] = value;
  }
}

/** Whether two JSON values are equal; members may stand in any order. */
export function isEqualJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one)) return Array.isArray(other) && isEqualList(one, other);
  if (!isObject(one) || !isObject(other)) return false;
  const names = Object.keys(one);
  if (names.length !== Object.keys(other).length) return false;
  for (const name of names) {
    const [own, wanted] = [(one as Members)[name], (other as Members)[name]];
    if (!isEqualJson(own, wanted) || !Object.hasOwn(other, name)) return false;
  }
  return true;
}

function isEqualList(one: readonly unknown[], other: readonly unknown[]): boolean {
  if (one.length !== other.length) return false;
  for (let index = 0; index < one.length; index++) {
    if (!isEqualJson(one[index], other[index])) return false;
  }
  return true;
}
