// biome-ignore lint/suspicious/noExplicitAny: subjects read and write objects of any shape
export type Untyped = any;

/**
 * Changes values of an object in place. Skips values whose parent does not exist.
 *
 * @param path - names with dots between them; `*` means each element or member
 * @param change - returns the next value, or undefined to remove it; `length` is the number of siblings
 */
export function edit(
  object: Untyped,
  path: string,
  change: (value: Untyped, owner: Untyped, index: number, length: number) => Untyped,
): void {
  if (typeof object !== "object" || object === null) return;
  const [name = "", ...rest] = path.split(".");
  const keys = name === "*" ? Object.keys(object) : [name];
  for (const [index, key] of keys.entries()) {
    if (rest.length > 0) edit(object[key], rest.join("."), change);
    else assign(object, key, change(object[key], object, index, keys.length));
  }
  if (Array.isArray(object)) object.splice(0, keys.length, ...object.filter(() => true));
}

/** Writes a value and creates missing parents. Removes the value if it is undefined. */
export function put(object: Untyped, path: string, value: Untyped): void {
  const [name = "", ...rest] = path.split(".");
  if (rest.length === 0) assign(object, name, value);
  else if (object[name] !== undefined || value !== undefined) {
    object[name] ??= {};
    put(object[name], rest.join("."), value);
  }
}

function assign(object: Untyped, name: string, value: Untyped): void {
  if (value === undefined) delete object[name];
  else object[name] = value;
}

export function get(object: Untyped, path: string): Untyped {
  return path.split(".").reduce((value, name) => value?.[name], object);
}

export const words = (text: string): readonly string[] => text.split(" ");
