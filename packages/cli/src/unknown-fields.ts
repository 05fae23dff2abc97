import { fieldPath, type PathStep } from "./input/located-value.ts";

/**
 * The fields of a new object that the API server did not know, and dropped when it read the object.
 *
 * Null is absent. Of `metadata` the server drops empty members, too, so only those with something in them are told.
 *
 * @param sent - the object as it was sent
 * @param read - the same object, pruned
 */
export function unknownFields(sent: unknown, read: unknown): readonly string[] {
  const found: string[] = [];
  compare(sent, read, [], found);
  return found;
}

function compare(sent: unknown, read: unknown, path: readonly PathStep[], found: string[]): void {
  if (sent === read) return; // what the server did not change is the same object
  if (Array.isArray(sent) && Array.isArray(read)) {
    for (const [index, element] of sent.entries()) {
      compare(element, read[index], [...path, index], found);
    }
  } else if (isObject(sent) && isObject(read)) {
    for (const [name, member] of Object.entries(sent)) {
      const below = [...path, name];
      if (Object.hasOwn(read, name)) compare(member, read[name], below, found);
      else if (!isEmpty(member, path)) found.push(fieldPath(below));
    }
  }
}

function isEmpty(member: unknown, [top]: readonly PathStep[]): boolean {
  if (member === null) return true;
  if (top !== "metadata") return false;
  return !member || (typeof member === "object" && Object.keys(member).length === 0);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
