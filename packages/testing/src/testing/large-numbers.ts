import { getShape, isShapeName, type Member, type ShapeName } from "@jobset-ts/api/typed";
import { createSnapshot, SNAPSHOT_KINDS, type Snapshot } from "@jobset-ts/core";

/** The largest numbers of a numeric field with 32 and 53 bits. */
export const largestNumbers: readonly number[] = [2_147_483_647, Number.MAX_SAFE_INTEGER];

/** The limits of numeric fields, and numbers beyond them. */
export const largeNumbers: readonly number[] = [...largestNumbers, -2_147_483_648, 1e308, -1];

/**
 * Sets the numeric fields of the JobSets, Jobs and Pods in a value to 1, according to the table of shapes. Absent
 * objects with required fields remain absent, and so do absent objects inside a Pod spec.
 */
export function withNumericFields(value: unknown): unknown {
  if (isSnapshot(value)) return changeObjects(value, withNumericFields);
  if (Array.isArray(value)) return value.map(withNumericFields);
  if (!isPlain(value)) return value;
  const type = typeof value.kind === "string" ? shapedKinds.get(value.kind) : undefined;
  if (type !== undefined) return fillNumbers(value, type);
  return mapMembers(value, (_, member) => withNumericFields(member));
}

const shapedKinds: ReadonlyMap<string, ShapeName> = new Map([
  ["JobSet", "JobSet"],
  ["Job", "JobTemplateSpec"],
  ["Pod", "Pod"],
]);

/**
 * Returns a value with its numbers replaced. Numbers in strings, such as an index in a label, count, too; their field
 * name is empty.
 *
 * @param change - called with the name of the field and the number; not for numbers below {@link MAX_DEPTH} levels
 */
export function mapNumbers(
  value: unknown,
  change: (name: string, number: number) => number,
  name = "",
  depth = 0,
): unknown {
  if (typeof value === "number") return change(name, value);
  if (typeof value === "string") {
    return /^\d+$/.test(value) ? String(change("", Number(value))) : value;
  }
  if (isSnapshot(value)) return changeObjects(value, (object) => mapNumbers(object, change));
  if (depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) {
    return value.map((element) => mapNumbers(element, change, name, depth + 1));
  }
  if (!isPlain(value)) return value;
  return mapMembers(value, (own, member) => mapNumbers(member, change, own, depth + 1));
}

/** No API object is deeper. Hostile values are nested deeper than the stack. */
const MAX_DEPTH = 100;

function fillNumbers(value: Readonly<Record<string, unknown>>, type: ShapeName): unknown {
  const members = { ...value };
  for (const member of getShape(type).members) {
    const now = members[member.name];
    const next = filledMember(now, member, type);
    if (next !== undefined) members[member.name] = next;
  }
  return members;
}

function filledMember(now: unknown, { type, collection }: Member, of: ShapeName): unknown {
  if (type === "int32" || type === "int64" || type === "integer") {
    return collection === "list" ? [1] : (now ?? 1);
  }
  if (!isShapeName(type) || collection === "map") return now;
  if (collection === "list") {
    return Array.isArray(now)
      ? now.map((element) => (isPlain(element) ? fillNumbers(element, type) : element))
      : now;
  }
  if (isPlain(now)) return fillNumbers(now, type);
  return now === undefined && jobTypes.has(of) && isOptionalWithNumbers(type)
    ? fillNumbers({}, type)
    : now;
}

/** Returns whether a type has numbers and no required fields. */
function isOptionalWithNumbers(type: ShapeName): boolean {
  const { members } = getShape(type);
  const isNumeric = (member: Member) => ["int32", "int64", "integer"].includes(member.type);
  return members.some(isNumeric) && !members.some(({ required }) => required);
}

/** The types for which absent objects are created. */
const jobTypes: ReadonlySet<ShapeName> = new Set<ShapeName>([
  "JobSet",
  "JobSetSpec",
  "JobSetStatus",
  "ReplicatedJob",
  "JobTemplateSpec",
]);

function mapMembers(
  value: Readonly<Record<string, unknown>>,
  change: (name: string, member: unknown) => unknown,
): unknown {
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, change(name, member)]),
  );
}

function changeObjects(snapshot: Snapshot, change: (object: unknown) => unknown): Snapshot {
  const objects = [...SNAPSHOT_KINDS.keys()].flatMap((kind) => snapshot.objects(kind));
  return createSnapshot(objects.map(change), { kinds: "all" });
}

function isSnapshot(value: unknown): value is Snapshot {
  return typeof value === "object" && value !== null && "podsByJobKey" in value;
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
