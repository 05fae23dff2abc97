import { isObject, type JsonObject } from "../members.ts";
import { equalAmounts, equalScalars, haveEqualRepresentation } from "./equal-scalars.ts";
import { getMember, isAbsent } from "./json-object.ts";
import {
  type Element,
  type ElementType,
  getElement,
  type Member,
  type Scalar,
  type Shape,
  type Special,
} from "./shape.ts";

// The definitions of equality, and where each is used:
//
// | equality         | equal are                                         | used for                                     |
// | ---------------- | ------------------------------------------------- | --------------------------------------------- |
// | semanticEqual       | two values that mean the same to upstream's types | a field that must not change                  |
// | findTypedDifferences | the same; it returns where values differ     | what an edit changes                          |
// | deepEqualTyped   | two values that upstream's types hold alike       | a claim, where upstream compares to the bit   |
// | isTypedSubset      | a value, and one to which a cluster added         | a claim and its template                      |
// | isEqualJson      | the same JSON                                     | rules and ratcheting of whatever has a schema |
// | EqualValues      | the same JSON; in `packages/admission`            | the least patch, with each part in many pairs |
//
// The first four share one traversal of the shapes, with different definitions of equal leaves. The others do not use types,
// and support values of any depth.

/**
 * Reports whether two values of a type are semantically equal. An absent member equals zero for a plain scalar, empty
 * for a list or map, and `{}` for an object by value. An absent nullable scalar or object differs from every present
 * one. Lists are ordered. Quantities and times are compared by value. Unknown members are ignored.
 *
 * @param left - any JSON value; a value of another type equals only itself
 * @see Kubernetes `equality.Semantic.DeepEqual`
 * @example semanticEqual({ limits: { cpu: "1" } }, { limits: { cpu: "1000m" }, claims: [] }, "ResourceRequirements") // => true
 * @example semanticEqual({ suspend: false }, {}, "JobSpec") // => false
 */
export function semanticEqual(left: unknown, right: unknown, type: ElementType): boolean {
  return elementDifferences(left, right, getElement(type), semantic) === undefined;
}

/**
 * Reports whether upstream's types represent two values in the same way. Unlike in {@link semanticEqual}, an absent
 * list or map differs from an empty one, and quantities must have the same text.
 *
 * @see Go `reflect.DeepEqual`; `deepEqualQuantities`
 * @example deepEqualTyped({ requests: { storage: "1024Mi" } }, { requests: { storage: "1Gi" } }, "VolumeResourceRequirements") // => false
 */
export function deepEqualTyped(left: unknown, right: unknown, type: ElementType): boolean {
  return elementDifferences(left, right, getElement(type), identical) === undefined;
}

/**
 * Reports whether a value has every member that another one sets, with the same value. The cluster may have added
 * others. A member is set if it differs from the zero of its type, or if it is nullable and present. Objects and maps
 * may have more members. Lists must be equal. Quantities and times are compared by value, as in {@link semanticEqual}.
 *
 * @param desired - any JSON value; a value of another type matches nothing
 * @example isTypedSubset({ accessModes: ["ReadWriteOnce"] }, { accessModes: ["ReadWriteOnce"], volumeName: "pv-1" }, "PersistentVolumeClaimSpec") // => true
 * @example isTypedSubset({ storageClassName: "" }, {}, "PersistentVolumeClaimSpec") // => false
 */
export function isTypedSubset(desired: unknown, actual: unknown, type: ElementType): boolean {
  return elementDifferences(desired, actual, getElement(type), agreement) === undefined;
}

/** A path at which two values of a type differ semantically. */
export interface TypedDifference {
  /** From the root: names of members, keys of maps and indexes of lists. */
  readonly path: readonly (string | number)[];
  /** Absent if the first value has nothing at the path. */
  readonly from?: unknown;
  /** Absent if the second value has nothing at the path. */
  readonly to?: unknown;
}

/**
 * Returns the paths at which two values of a type differ, as deep as both have a value. Empty if the values are {@link
 * semanticEqual}. Lists of the same length are compared element by element, other lists are one difference. Members are
 * in the order of the type, keys of maps in the order of the first value and then of the second.
 *
 * @param before - any JSON value
 * @example findTypedDifferences({ replicas: 1, template: {} }, { replicas: 2 }, "ReplicatedJob") // => [{ path: ["replicas"], from: 1, to: 2 }]
 */
export function findTypedDifferences(
  before: unknown,
  after: unknown,
  type: ElementType,
): readonly TypedDifference[] {
  return elementDifferences(before, after, getElement(type), complete) ?? [];
}

/** How values are compared. */
interface Comparison {
  /** Whether an absent list or map equals an empty one. */
  readonly emptyIsAbsent: boolean;
  /** Whether the second value may have more members. Then only those that the first value sets are compared. */
  readonly mayAdd: boolean;
  /** Whether to collect all differences or to stop at the first. */
  readonly listsAll: boolean;
  readonly quantities: (left: unknown, right: unknown) => boolean;
}

const semantic: Comparison = {
  emptyIsAbsent: true,
  mayAdd: false,
  listsAll: false,
  quantities: equalAmounts,
};
const identical: Comparison = {
  ...semantic,
  emptyIsAbsent: false,
  quantities: haveEqualRepresentation,
};
const agreement: Comparison = { ...semantic, mayAdd: true };
const complete: Comparison = { ...semantic, listsAll: true };

/** Returns the relative paths at which values differ, or `undefined` if they are equal. */
type Differences = readonly TypedDifference[] | undefined;

/** A difference without a path, for callers that only need to know whether there is one. */
const SOME_DIFFERENCE: Differences = [];

/** For elements of a list or a map, and for members that are not nullable, absent equals zero. */
function elementDifferences(
  left: unknown,
  right: unknown,
  { type, typedShape }: Element,
  comparison: Comparison,
): Differences {
  if (Object.is(left, right)) return undefined;
  if (comparison.mayAdd && isAbsent(left)) return undefined;
  if (typedShape === undefined) {
    return equalScalars(left, right, type as Scalar | Special, comparison)
      ? undefined
      : differenceAtRoot(left, right, comparison);
  }
  const [before, after] = [left ?? {}, right ?? {}];
  if (!isObject(before) || !isObject(after)) return differenceAtRoot(left, right, comparison);
  const found = objectDifferences(before, after, typedShape, comparison);
  // If one of them is not an object, that is the difference.
  const isWhole = found !== undefined && (isAbsent(left) || isAbsent(right));
  return isWhole ? differenceAtRoot(left, right, comparison) : found;
}

function objectDifferences(
  left: JsonObject,
  right: JsonObject,
  { byName, members }: Shape,
  comparison: Comparison,
): Differences {
  const listMemberDifferences = (name: string) => {
    const member = byName.get(name);
    if (member === undefined) return undefined;
    return memberDifferences(getMember(left, name), getMember(right, name), member, comparison);
  };
  const names = comparison.listsAll
    ? members.map(({ name }) => name)
    : listKeys(left, right, comparison);
  return differencesAt(names, listMemberDifferences, comparison);
}

function memberDifferences(
  left: unknown,
  right: unknown,
  member: Member,
  comparison: Comparison,
): Differences {
  if (Object.is(left, right)) return undefined;
  if (comparison.mayAdd && setsNothing(left, member)) return undefined;
  const { collection, nullable, typedShape } = member;
  const absenceCounts = collection === "none" ? nullable : !comparison.emptyIsAbsent;
  if (absenceCounts && isAbsent(left) !== isAbsent(right))
    return differenceAtRoot(left, right, comparison);
  switch (collection) {
    case "list":
      return listDifferences(left, right, member, comparison);
    case "map":
      return mapDifferences(left, right, member, comparison);
    case "none":
      if (nullable || typedShape === undefined)
        return elementDifferences(left, right, member, comparison);
      return elementDifferences(left ?? {}, right ?? {}, member, comparison);
  }
}

/** Reports whether a member is equal to an absent one. */
function setsNothing(value: unknown, { collection, nullable, type, typedShape }: Member): boolean {
  if (isAbsent(value)) return true;
  if (collection === "list") return Array.isArray(value) && value.length === 0;
  const isPlainScalar = collection === "none" && !nullable && typedShape === undefined;
  return isPlainScalar && equalScalars(value, undefined, type as Scalar | Special, semantic);
}

function listDifferences(
  left: unknown,
  right: unknown,
  element: Element,
  comparison: Comparison,
): Differences {
  const [before, after] = [left ?? [], right ?? []];
  if (!Array.isArray(before) || !Array.isArray(after) || before.length !== after.length) {
    return differenceAtRoot(left, right, comparison);
  }
  const within = withoutAdditions(comparison);
  return differencesAt(
    [...before.keys()],
    (index) => elementDifferences(before[index], after[index], element, within),
    comparison,
  );
}

function mapDifferences(
  left: unknown,
  right: unknown,
  element: Element,
  comparison: Comparison,
): Differences {
  const [before, after] = [left ?? {}, right ?? {}];
  if (!isObject(before) || !isObject(after)) return differenceAtRoot(before, after, comparison);
  const within = withoutAdditions(comparison);
  const listMemberDifferences = (key: string) => {
    const [own, other] = [Object.hasOwn(before, key), Object.hasOwn(after, key)];
    if (own && other) return elementDifferences(before[key], after[key], element, within);
    return differenceAtRoot(
      own ? before[key] : undefined,
      other ? after[key] : undefined,
      comparison,
    );
  };
  return differencesAt(listKeys(before, after, comparison), listMemberDifferences, comparison);
}

/** Values in a list or a map are compared as a whole. */
function withoutAdditions(comparison: Comparison): Comparison {
  return comparison.mayAdd ? semantic : comparison;
}

/** Returns the keys to compare: those of the first value, then those that only the second one has. */
function listKeys(left: JsonObject, right: JsonObject, { mayAdd }: Comparison): readonly string[] {
  const keys = Object.keys(left);
  if (mayAdd) return keys;
  for (const key of Object.keys(right)) if (!Object.hasOwn(left, key)) keys.push(key);
  return keys;
}

/** Returns the differences below a path. Returns only the first one if the caller does not need the others. */
function differencesAt<Step extends string | number>(
  steps: readonly Step[],
  differencesOf: (step: Step) => Differences,
  { listsAll }: Comparison,
): Differences {
  let found: TypedDifference[] | undefined;
  for (const step of steps) {
    const below = differencesOf(step);
    if (below === undefined) continue;
    if (!listsAll) return SOME_DIFFERENCE;
    found ??= [];
    for (const one of below) found.push({ ...one, path: [step, ...one.path] });
  }
  return found;
}

/** The values themselves differ. */
function differenceAtRoot(left: unknown, right: unknown, { listsAll }: Comparison): Differences {
  if (!listsAll) return SOME_DIFFERENCE;
  return [
    { path: [], ...(!isAbsent(left) && { from: left }), ...(!isAbsent(right) && { to: right }) },
  ];
}
