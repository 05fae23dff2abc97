import { isObject, type JsonObject } from "../members.ts";
import { amountsHeldAlike, equalAmounts, equalScalars } from "./equal-scalars.ts";
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

// What it is for two values to be equal, and what asks for it:
//
// | equality         | equal are                                         | asked for                                     |
// | ---------------- | ------------------------------------------------- | --------------------------------------------- |
// | semanticEqual       | two values that mean the same to upstream's types | a field that must not change                  |
// | findTypedDifferences | the same; it tells where values are not equal     | what an edit changes                          |
// | deepEqualTyped   | two values that upstream's types hold alike       | a claim, where upstream compares to the bit   |
// | isTypedSubset      | a value, and one to which a cluster added         | a claim and its template                      |
// | jsonEqual        | the same JSON; in `packages/crd`                  | rules and ratcheting of whatever has a schema |
// | EqualValues      | the same JSON; in `packages/admission`            | the least patch, with each part in many pairs |
//
// The first four are one walk along the shapes, with different definitions of equal leaves. The others know no
// types, and answer for values of any depth.

/**
 * Whether two values of a type mean the same.
 *
 * An absent member is zero where the type has a plain scalar, empty where it has a list or map, `{}` where it
 * has an object by value; a nullable scalar or object that is absent differs from every present one. Lists are
 * ordered. Quantities and times compare by value. Unknown members do not count.
 *
 * @param left - any JSON value; what is not of the type equals only itself
 * @see Kubernetes `equality.Semantic.DeepEqual`
 * @example semanticEqual({ limits: { cpu: "1" } }, { limits: { cpu: "1000m" }, claims: [] }, "ResourceRequirements") // => true
 * @example semanticEqual({ suspend: false }, {}, "JobSpec") // => false
 */
export function semanticEqual(left: unknown, right: unknown, type: ElementType): boolean {
  return elementDifferences(left, right, getElement(type), semantic) === undefined;
}

/**
 * Reports whether upstream's types hold two values in the same way. Other than for {@link semanticEqual}, an absent
 * list or map differs from an empty one, and quantities must be written alike.
 *
 * @see Go `reflect.DeepEqual`; `deepEqualQuantities`
 * @example deepEqualTyped({ requests: { storage: "1024Mi" } }, { requests: { storage: "1Gi" } }, "VolumeResourceRequirements") // => false
 */
export function deepEqualTyped(left: unknown, right: unknown, type: ElementType): boolean {
  return elementDifferences(left, right, getElement(type), identical) === undefined;
}

/**
 * Reports whether a value says of everything that another one sets what that one says: the same with whatever a cluster
 * adds.
 *
 * Set is what differs from the zero of its type, and every nullable member that is there. Objects and maps may have
 * more members; lists have to be the same. Quantities and times compare by value, as for {@link semanticEqual}.
 *
 * @param desired - any JSON value; what is not of the type agrees with nothing
 * @example isTypedSubset({ accessModes: ["ReadWriteOnce"] }, { accessModes: ["ReadWriteOnce"], volumeName: "pv-1" }, "PersistentVolumeClaimSpec") // => true
 * @example isTypedSubset({ storageClassName: "" }, {}, "PersistentVolumeClaimSpec") // => false
 */
export function isTypedSubset(desired: unknown, held: unknown, type: ElementType): boolean {
  return elementDifferences(desired, held, getElement(type), agreement) === undefined;
}

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
 * Where two values of a type differ, as far down as both have something there; empty when {@link semanticEqual} holds.
 *
 * Lists are compared element by element when they have the same length, and are one difference when they have not.
 * Members stand in the order of the type, keys of maps in the order of the first value and then of the second.
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
  /** Whether an absent list or map is an empty one. */
  readonly emptyIsAbsent: boolean;
  /** Whether the second value may say more than the first one, and only what that sets counts. */
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
const identical: Comparison = { ...semantic, emptyIsAbsent: false, quantities: amountsHeldAlike };
const agreement: Comparison = { ...semantic, mayAdd: true };
const complete: Comparison = { ...semantic, listsAll: true };

/** Where values differ, each place as seen from here; `undefined` where they do not. */
type Differences = readonly TypedDifference[] | undefined;

/** That values differ, for those who do not ask where. */
const somewhere: Differences = [];

/** Elements of a list or a map, or members that are not nullable: absent is zero. */
function elementDifferences(
  left: unknown,
  right: unknown,
  { type, typedShape }: Element,
  how: Comparison,
): Differences {
  if (Object.is(left, right)) return undefined;
  if (how.mayAdd && isAbsent(left)) return undefined;
  if (typedShape === undefined) {
    return equalScalars(left, right, type as Scalar | Special, how)
      ? undefined
      : here(left, right, how);
  }
  const [before, after] = [left ?? {}, right ?? {}];
  if (!isObject(before) || !isObject(after)) return here(left, right, how);
  const found = objectDifferences(before, after, typedShape, how);
  // Where one has no object, that is the difference.
  const isWhole = found !== undefined && (isAbsent(left) || isAbsent(right));
  return isWhole ? here(left, right, how) : found;
}

function objectDifferences(
  left: JsonObject,
  right: JsonObject,
  { byName, members }: Shape,
  how: Comparison,
): Differences {
  const differencesOf = (name: string) => {
    const member = byName.get(name);
    if (member === undefined) return undefined;
    return memberDifferences(getMember(left, name), getMember(right, name), member, how);
  };
  const names = how.listsAll ? members.map(({ name }) => name) : listKeys(left, right, how);
  return differencesAt(names, differencesOf, how);
}

function memberDifferences(
  left: unknown,
  right: unknown,
  member: Member,
  how: Comparison,
): Differences {
  if (Object.is(left, right)) return undefined;
  if (how.mayAdd && setsNothing(left, member)) return undefined;
  const { collection, nullable, typedShape } = member;
  const absenceCounts = collection === "none" ? nullable : !how.emptyIsAbsent;
  if (absenceCounts && isAbsent(left) !== isAbsent(right)) return here(left, right, how);
  switch (collection) {
    case "list":
      return listDifferences(left, right, member, how);
    case "map":
      return mapDifferences(left, right, member, how);
    case "none":
      if (nullable || typedShape === undefined) return elementDifferences(left, right, member, how);
      return elementDifferences(left ?? {}, right ?? {}, member, how);
  }
}

/** Reports whether a member says no more than one that is absent. */
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
  how: Comparison,
): Differences {
  const [before, after] = [left ?? [], right ?? []];
  if (!Array.isArray(before) || !Array.isArray(after) || before.length !== after.length) {
    return here(left, right, how);
  }
  const within = withoutAdditions(how);
  return differencesAt(
    [...before.keys()],
    (index) => elementDifferences(before[index], after[index], element, within),
    how,
  );
}

function mapDifferences(
  left: unknown,
  right: unknown,
  element: Element,
  how: Comparison,
): Differences {
  const [before, after] = [left ?? {}, right ?? {}];
  if (!isObject(before) || !isObject(after)) return here(before, after, how);
  const within = withoutAdditions(how);
  const differencesOf = (key: string) => {
    const [own, other] = [Object.hasOwn(before, key), Object.hasOwn(after, key)];
    if (own && other) return elementDifferences(before[key], after[key], element, within);
    return here(own ? before[key] : undefined, other ? after[key] : undefined, how);
  };
  return differencesAt(listKeys(before, after, how), differencesOf, how);
}

/** What is within a list or a map is compared as a whole. */
function withoutAdditions(how: Comparison): Comparison {
  return how.mayAdd ? semantic : how;
}

/** Returns the keys that count: those of the first value, and then those that only the second one has. */
function listKeys(left: JsonObject, right: JsonObject, { mayAdd }: Comparison): readonly string[] {
  const keys = Object.keys(left);
  if (mayAdd) return keys;
  for (const key of Object.keys(right)) if (!Object.hasOwn(left, key)) keys.push(key);
  return keys;
}

/**
 * Returns the differences at some steps from here; the first one is enough for those who only ask whether there is one.
 */
function differencesAt<Step extends string | number>(
  steps: readonly Step[],
  differencesOf: (step: Step) => Differences,
  { listsAll }: Comparison,
): Differences {
  let found: TypedDifference[] | undefined;
  for (const step of steps) {
    const below = differencesOf(step);
    if (below === undefined) continue;
    if (!listsAll) return somewhere;
    found ??= [];
    for (const one of below) found.push({ ...one, path: [step, ...one.path] });
  }
  return found;
}

/** The values themselves differ. */
function here(left: unknown, right: unknown, { listsAll }: Comparison): Differences {
  if (!listsAll) return somewhere;
  return [
    { path: [], ...(!isAbsent(left) && { from: left }), ...(!isAbsent(right) && { to: right }) },
  ];
}
