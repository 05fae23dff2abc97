import { isObject, type JsonObject } from "../members.ts";
import { equalQuantities, heldAlike, parseQuantity } from "../quantity.ts";
import { isAbsent, memberOf } from "./json-object.ts";
import { type ElementType, isShapeName, type Member, typedShapeOf } from "./shape.ts";
import { readTimestamp } from "./timestamp.ts";

/**
 * Whether two values of a type mean the same.
 *
 * An absent member is zero where the type has a plain scalar, empty where it has a list or map, `{}` where it
 * has an object by value; a nullable scalar or object that is absent differs from every present one. Lists are
 * ordered. Quantities and times compare by value. Unknown members do not count.
 *
 * @param left - any JSON value; what is not of the type equals only itself
 * @see Kubernetes `equality.Semantic.DeepEqual`
 * @example equalTyped({ limits: { cpu: "1" } }, { limits: { cpu: "1000m" }, claims: [] }, "ResourceRequirements") // => true
 * @example equalTyped({ suspend: false }, {}, "JobSpec") // => false
 */
export function equalTyped(left: unknown, right: unknown, type: ElementType): boolean {
  return equalElements(left, right, type, semantic);
}

/** Whether two lists of elements of a type mean the same, like {@link equalTyped}; absent equals empty. */
export function equalTypedLists(left: unknown, right: unknown, elementType: ElementType): boolean {
  return Object.is(left, right) || equalLists(left, right, elementType, semantic);
}

/**
 * Whether upstream's types hold two values in the same way. Other than for {@link equalTyped}, an absent list or
 * map differs from an empty one, and quantities must be written alike.
 *
 * @see Go `reflect.DeepEqual`; `heldAlike`
 * @example identicalTyped({ requests: { storage: "1024Mi" } }, { requests: { storage: "1Gi" } }, "VolumeResourceRequirements") // => false
 */
export function identicalTyped(left: unknown, right: unknown, type: ElementType): boolean {
  return equalElements(left, right, type, identical);
}

/** What counts besides the values. */
interface Equality {
  readonly emptyIsAbsent: boolean;
  readonly quantities: (left: unknown, right: unknown) => boolean;
}

const semantic: Equality = { emptyIsAbsent: true, quantities: equalAmounts };
const identical: Equality = { emptyIsAbsent: false, quantities: amountsHeldAlike };

function equalObjects(
  left: JsonObject,
  right: JsonObject,
  members: ReadonlyMap<string, Member>,
  equality: Equality,
): boolean {
  const isEqualAt = (name: string) => {
    const member = members.get(name);
    return (
      member === undefined ||
      equalMembers(memberOf(left, name), memberOf(right, name), member, equality)
    );
  };
  return (
    Object.keys(left).every(isEqualAt) &&
    Object.keys(right).every((name) => Object.hasOwn(left, name) || isEqualAt(name))
  );
}

function equalMembers(left: unknown, right: unknown, member: Member, equality: Equality): boolean {
  if (Object.is(left, right)) return true;
  switch (member.collection) {
    case "list":
      return equalLists(left, right, member.type, equality);
    case "map":
      return equalMaps(left, right, member.type, equality);
    case "none":
      if (member.nullable && isAbsent(left) !== isAbsent(right)) return false;
      return equalElements(left, right, member.type, equality);
  }
}

function equalLists(left: unknown, right: unknown, type: ElementType, equality: Equality): boolean {
  if (!equality.emptyIsAbsent && isAbsent(left) !== isAbsent(right)) return false;
  const [before, after] = [left ?? [], right ?? []];
  return (
    Array.isArray(before) &&
    Array.isArray(after) &&
    before.length === after.length &&
    before.every((element, index) => equalElements(element, after[index], type, equality))
  );
}

function equalMaps(left: unknown, right: unknown, type: ElementType, equality: Equality): boolean {
  if (!equality.emptyIsAbsent && isAbsent(left) !== isAbsent(right)) return false;
  const [before, after] = [left ?? {}, right ?? {}];
  if (!isObject(before) || !isObject(after)) return false;
  const keys = Object.keys(before);
  return (
    keys.length === Object.keys(after).length &&
    keys.every(
      (key) => Object.hasOwn(after, key) && equalElements(before[key], after[key], type, equality),
    )
  );
}

/** Elements of a list or a map, or members that are not nullable: absent is zero. */
function equalElements(
  left: unknown,
  right: unknown,
  type: ElementType,
  equality: Equality,
): boolean {
  if (Object.is(left, right)) return true;
  if (isShapeName(type)) {
    const [before, after] = [left ?? {}, right ?? {}];
    if (!isObject(before) || !isObject(after)) return false;
    return equalObjects(before, after, typedShapeOf(type).byName, equality);
  }
  switch (type) {
    case "string":
      return equalTexts(left ?? "", right ?? "");
    case "boolean":
      return (left ?? false) === (right ?? false);
    case "int32":
    case "int64":
    case "integer":
      return (left ?? 0) === (right ?? 0);
    case "IntOrString":
      return (left ?? 0) === (right ?? 0) || (!isAbsent(left) && equalTexts(left, right));
    case "Quantity":
      return equality.quantities(left, right);
    case "Time":
      return equalTimes(left ?? zeroTime, right ?? zeroTime);
  }
}

/** Texts that differ only in lone surrogates are one text to Go. */
function equalTexts(left: unknown, right: unknown): boolean {
  if (typeof left !== "string" || typeof right !== "string") return false;
  return left === right || left.toWellFormed() === right.toWellFormed();
}

function equalAmounts(left: unknown, right: unknown): boolean {
  const [before, after] = [parseQuantity(left ?? "0"), parseQuantity(right ?? "0")];
  return before.ok && after.ok && equalQuantities(before.value, after.value);
}

/** An absent quantity is held unlike every written one, `0` included. */
function amountsHeldAlike(left: unknown, right: unknown): boolean {
  return isAbsent(left) ? isAbsent(right) : heldAlike(left, right);
}

const zeroTime = "0001-01-01T00:00:00Z";

function equalTimes(left: unknown, right: unknown): boolean {
  const [before, after] = [readTimestamp(left), readTimestamp(right)];
  return (
    before !== undefined &&
    after !== undefined &&
    before.seconds === after.seconds &&
    before.nanoseconds === after.nanoseconds
  );
}
