import { isObject } from "../members.ts";
import { equalTyped, equalTypedLists } from "./equal.ts";
import { isAbsent, memberOf } from "./json-object.ts";
import { type ElementType, isShapeName, type Member, typedShapeOf } from "./shape.ts";

/**
 * Whether a value says of everything that another one sets what that one says: the same with whatever a cluster adds.
 *
 * Set is what differs from the zero of its type, and every nullable member that is there. Objects and maps may
 * have more members; lists have to be the same. Quantities and times compare by value, as for `equalTyped`.
 *
 * @param wanted - any JSON value; what is not of the type agrees with nothing
 * @example agreesTyped({ accessModes: ["ReadWriteOnce"] }, { accessModes: ["ReadWriteOnce"], volumeName: "pv-1" }, "PersistentVolumeClaimSpec") // => true
 * @example agreesTyped({ storageClassName: "" }, {}, "PersistentVolumeClaimSpec") // => false
 */
export function agreesTyped(wanted: unknown, held: unknown, type: ElementType): boolean {
  if (Object.is(wanted, held) || isAbsent(wanted)) return true;
  if (!isShapeName(type)) return equalTyped(wanted, held, type);
  if (!isObject(wanted)) return false;
  const actual = held ?? {};
  if (!isObject(actual)) return false;
  const { byName } = typedShapeOf(type);
  return Object.keys(wanted).every((name) => {
    const member = byName.get(name);
    return member === undefined || agreesAt(memberOf(wanted, name), memberOf(actual, name), member);
  });
}

function agreesAt(wanted: unknown, held: unknown, member: Member): boolean {
  if (isAbsent(wanted)) return true;
  switch (member.collection) {
    case "list":
      return isEmptyList(wanted) || equalTypedLists(wanted, held, member.type);
    case "map":
      return mapAgrees(wanted, held ?? {}, member.type);
    case "none":
      if (member.nullable) return !isAbsent(held) && agreesTyped(wanted, held, member.type);
      return isZero(wanted, member.type) || agreesTyped(wanted, held, member.type);
  }
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** A plain scalar that is zero says no more than one that is absent. */
function isZero(value: unknown, type: ElementType): boolean {
  return !isShapeName(type) && equalTyped(value, undefined, type);
}

function mapAgrees(wanted: unknown, held: unknown, type: ElementType): boolean {
  if (!isObject(wanted) || !isObject(held)) return false;
  return Object.keys(wanted).every(
    (key) => Object.hasOwn(held, key) && equalTyped(wanted[key], held[key], type),
  );
}
