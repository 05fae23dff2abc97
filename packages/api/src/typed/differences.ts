import { isObject, type JsonObject } from "../members.ts";
import { equalTyped } from "./equal.ts";
import { isAbsent, memberOf } from "./json-object.ts";
import { type ElementType, isShapeName, type Member, typedShapeOf } from "./shape.ts";

/** One place where two values of a type differ in meaning. */
export interface TypedDifference {
  /** From the root: names of members, keys of maps, and indexes of lists. */
  readonly path: readonly (string | number)[];
  /** Absent where the first value has nothing there. */
  readonly from?: unknown;
  /** Absent where the second value has nothing there. */
  readonly to?: unknown;
}

/**
 * Where two values of a type differ, as far down as both have something there; empty when `equalTyped` holds.
 *
 * Lists are compared element by element when they have the same length, and are one difference when they have not.
 * Members stand in the order of the type, keys of maps in the order of the first value and then of the second.
 *
 * @param before - any JSON value
 * @example typedDifferences({ replicas: 1, template: {} }, { replicas: 2 }, "ReplicatedJob") // => [{ path: ["replicas"], from: 1, to: 2 }]
 */
export function typedDifferences(
  before: unknown,
  after: unknown,
  type: ElementType,
): readonly TypedDifference[] {
  const found: TypedDifference[] = [];
  compare(before, after, type, { path: [], found });
  return found;
}

interface Place {
  readonly path: readonly (string | number)[];
  readonly found: TypedDifference[];
}

function compare(before: unknown, after: unknown, type: ElementType, place: Place): void {
  if (equalTyped(before, after, type)) return;
  if (isShapeName(type) && isObject(before) && isObject(after)) {
    for (const member of typedShapeOf(type).members) {
      const at = below(place, member.name);
      compareMember(memberOf(before, member.name), memberOf(after, member.name), member, at);
    }
  } else {
    report(before, after, place);
  }
}

function compareMember(before: unknown, after: unknown, member: Member, place: Place): void {
  if (Object.is(before, after)) return;
  switch (member.collection) {
    case "list":
      compareLists(before, after, member.type, place);
      break;
    case "map":
      compareMaps(before ?? {}, after ?? {}, member.type, place);
      break;
    case "none":
      if (member.nullable && isAbsent(before) !== isAbsent(after)) report(before, after, place);
      else if (member.nullable || !isShapeName(member.type)) {
        compare(before, after, member.type, place);
      } else compare(before ?? {}, after ?? {}, member.type, place);
  }
}

function compareLists(before: unknown, after: unknown, type: ElementType, place: Place): void {
  const [one, other] = [before ?? [], after ?? []];
  if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) {
    report(before, after, place);
    return;
  }
  for (const [index, element] of one.entries()) {
    compare(element, other[index], type, below(place, index));
  }
}

function compareMaps(before: unknown, after: unknown, type: ElementType, place: Place): void {
  if (!isObject(before) || !isObject(after)) {
    report(before, after, place);
    return;
  }
  for (const key of keysOf(before, after)) {
    const [own, other] = [Object.hasOwn(before, key), Object.hasOwn(after, key)];
    const at = below(place, key);
    if (own && other) compare(before[key], after[key], type, at);
    else report(own ? before[key] : undefined, other ? after[key] : undefined, at);
  }
}

function keysOf(before: JsonObject, after: JsonObject): readonly string[] {
  return [
    ...Object.keys(before),
    ...Object.keys(after).filter((key) => !Object.hasOwn(before, key)),
  ];
}

function report(before: unknown, after: unknown, { path, found }: Place): void {
  found.push({
    path,
    ...(!isAbsent(before) && { from: before }),
    ...(!isAbsent(after) && { to: after }),
  });
}

function below({ path, found }: Place, step: string | number): Place {
  return { path: [...path, step], found };
}
