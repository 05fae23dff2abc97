import { isEqualJson, isObject } from "@jobset-ts/api/kubernetes";
import { type Draft, enablePatches, Immer, type Patch } from "immer";
import { createCopy } from "../with-members.ts";
import { MAX_DEPTH } from "./decoding.ts";

/** The store owns its objects, so it can freeze them. */
const immer = new Immer({ autoFreeze: true });

/** Returns a frozen object after a change. Returns the same object if the recipe changes nothing. */
export function editObject<Item extends object>(
  object: Item,
  recipe: (draft: Draft<Item>) => void,
): Item {
  return immer.produce(object, (draft) => {
    recipe(draft);
  });
}

/**
 * Returns a frozen new version of a value that shares all equal parts with the old one. Returns the old value if
 * everything is equal.
 */
export function shareUnchanged<Value>(before: Value, after: Value): Value {
  return shareEqualParts(before, after) as Value;
}

/** Returns a value that shares the equal parts of another one. A draft would do the same at ten times the cost. */
function shareEqualParts(before: unknown, after: unknown): unknown {
  if (before === after) return before;
  if (!isObject(before) || !isObject(after))
    return isEqualJson(before, after) ? before : deepFreeze(after);
  const names = Object.keys(after);
  let shared = after as Members;
  let isOther = names.length !== Object.keys(before).length;
  for (const name of names) {
    const [own, target] = [(before as Members)[name], (after as Members)[name]];
    const value = shareEqualParts(own, target);
    if (value !== target) {
      if (shared === after) shared = createCopy(after as Members);
      shared[name] = value;
    }
    if (value !== own || !Object.hasOwn(before, name)) isOther = true;
  }
  return isOther ? Object.freeze(shared) : before;
}

/** Returns the patches from one version of an object to another, and back. */
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
 * Returns a value as the store keeps it. Frozen parts are shared and all others are copied, so later changes by the
 * sender have no effect and the sender's objects are not frozen. As in JSON, an `undefined` member is absent.
 *
 * @param nullIsNone - whether a `null` member counts as absent, as it does when Go decodes it into a type
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
 * Returns a mutable deep copy. Parts below the maximum nesting depth are shared, because the API server rejects them.
 */
export function deepCopy<Value>(value: Value, levels = 2 * MAX_DEPTH): Value {
  if (typeof value !== "object" || value === null || levels === 0) return value;
  if (Array.isArray(value)) return value.map((part) => deepCopy(part, levels - 1)) as Value;
  const copy = createCopy(value as Members);
  for (const name of Object.keys(copy)) copy[name] = deepCopy(copy[name], levels - 1);
  return copy as Value;
}

/** Deep-freezes an object in place. Everything inside a frozen object is frozen already. */
export function deepFreeze<Item>(object: Item): Item {
  if (typeof object !== "object" || object === null || Object.isFrozen(object)) return object;
  for (const name of Object.keys(object)) {
    const member = (object as Members)[name];
    if (typeof member === "object") deepFreeze(member);
  }
  return Object.freeze(object);
}

type Members = Record<string, unknown>;

/** Assigns the differences member by member, so unchanged parts stay shared. */
function assignChanges(draft: Members, before: Members, target: Members): void {
  for (const key of Object.keys(before)) {
    if (!Object.hasOwn(target, key)) delete draft[key];
  }
  for (const [key, value] of Object.entries(target)) {
    const own = before[key];
    if (isEqualJson(own, value)) continue;
    // Only changed members of a draft are read, because reading creates a draft of them.
    if (isObject(own) && isObject(value))
      assignChanges(draft[key] as Members, own as Members, value as Members);
    else draft[key] = value;
  }
}
