// biome-ignore lint/suspicious/noExplicitAny: subjects read and write objects of any shape
export type Untyped = any;

/** Where an edited value is. */
export interface Place {
  /** The object or list that contains the value. */
  readonly owner: Untyped;
  /** Its name in the owner. */
  readonly key: string;
  /** The index in the innermost list of the path. */
  readonly index: number;
  /** The length of this list. */
  readonly length: number;
  /** The value at the same path of the other object. */
  readonly other: Untyped;
}

type Change = (value: Untyped, place: Place) => Untyped;

/**
 * Changes values of an object in place. Skips values whose parent does not exist.
 *
 * @param path - names with dots between them; `*` means each element or member
 * @param change - returns the next value, or undefined to remove it
 * @param other - an object to compare with, such as the old object of an update
 */
export function edit(object: Untyped, path: string, change: Change, other?: Untyped): void {
  editMembers(path.split("."), change, { owner: object, key: "", index: 0, length: 1, other });
}

function editMembers([name = "", ...rest]: readonly string[], change: Change, place: Place): void {
  const { owner } = place;
  if (typeof owner !== "object" || owner === null) return;
  const keys = name === "*" ? Object.keys(owner) : [name];
  for (const [index, key] of keys.entries()) {
    const position = name === "*" ? { index, length: keys.length } : {};
    const member = { ...place, ...position, key, other: place.other?.[key] };
    if (rest.length > 0) editMembers(rest, change, { ...member, owner: owner[key] });
    else owner[key] = change(owner[key], member);
    if (owner[key] === undefined) delete owner[key];
  }
  // Deletions leave holes in a list.
  if (Array.isArray(owner)) owner.splice(0, owner.length, ...owner.filter(() => true));
}

export function get(object: Untyped, path: string): Untyped {
  return path.split(".").reduce((value, name) => value?.[name], object);
}

export const words = (text: string): readonly string[] => text.split(" ");
