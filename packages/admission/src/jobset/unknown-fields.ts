import { fieldPath, isObject, type PathStep } from "@jobset-ts/api";

/**
 * The fields of an object that the API server did not know, and dropped when it read the object.
 *
 * Null is absent. Of `metadata` the server drops empty members, too, so only those with something in them are told.
 *
 * @param sent - the object as it was sent
 * @param read - the same object, pruned
 * @example unknownFields({ spec: { suspended: true } }, { spec: {} }) // => ["spec.suspended"]
 */
export function unknownFields(sent: unknown, read: unknown): readonly string[] {
  const found: string[] = [];
  compare(sent, read, [], found);
  return found;
}

/** Nothing that the schema describes lies deeper. */
const MAX_DEPTH = 64;

function compare(sent: unknown, read: unknown, path: readonly PathStep[], found: string[]): void {
  // What the server did not change is the same object.
  if (sent === read || path.length > MAX_DEPTH) return;
  if (Array.isArray(sent) && Array.isArray(read)) {
    for (const [index, element] of sent.entries()) {
      compare(element, read[index], [...path, index], found);
    }
  } else if (isObject(sent) && isObject(read)) {
    const members = read as Readonly<Record<string, unknown>>;
    for (const [name, member] of Object.entries(sent)) {
      const below = [...path, name];
      if (Object.hasOwn(members, name)) compare(member, members[name], below, found);
      else if (!isEmpty(member, path)) found.push(fieldPath(below));
    }
  }
}

function isEmpty(member: unknown, [top]: readonly PathStep[]): boolean {
  if (member === null || member === undefined) return true;
  if (top !== "metadata") return false;
  return !member || (typeof member === "object" && Object.keys(member).length === 0);
}
