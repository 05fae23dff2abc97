/** Returns the mark of a list element. Elements with one mark share their positions. */
export type Mark = (element: unknown) => string;

/** Returns the paths of the scalars and of the non-empty lists in a JSON value. Null counts as absent. */
export function placesIn(
  value: unknown,
  mark: Mark,
  path = "",
  places: Readonly<Record<"leaves" | "lists", Set<string>>> = {
    leaves: new Set(),
    lists: new Set(),
  },
) {
  if (Array.isArray(value)) {
    if (value.length > 0) places.lists.add(path);
    for (const element of value) placesIn(element, mark, `${path}[${mark(element)}]`, places);
  } else if (typeof value === "object" && value !== null) {
    for (const [name, member] of Object.entries(value))
      placesIn(member, mark, `${path}.${name}`, places);
  } else if (value !== undefined && value !== null) places.leaves.add(path);
  return places;
}

/** Returns a JSON value with other values at a path. Undefined values are removed. */
export function changeAtPath(
  value: unknown,
  path: string,
  change: (value: unknown) => unknown,
  mark: Mark,
  at = "",
): unknown {
  if (at === path) return change(value);
  if (typeof value !== "object" || value === null) return value;
  if (!path.startsWith(at) || !/^$|^[.[]/.test(at && path.slice(at.length))) return value;
  const next = (member: unknown, step: string) =>
    changeAtPath(member, path, change, mark, `${at}${step}`);
  if (Array.isArray(value))
    return value.map((one) => next(one, `[${mark(one)}]`)).filter((one) => one !== undefined);
  const members = Object.entries(value).map(([name, one]) => [name, next(one, `.${name}`)]);
  return Object.fromEntries(members.filter(([, one]) => one !== undefined));
}

/** Returns another scalar of the same type. */
export function alterValue(value: unknown): unknown {
  if (typeof value === "number") return value + 1;
  if (typeof value === "boolean") return !value;
  return /^\d{4}-\d\d-/.test(String(value)) ? "2020-01-01T00:00:00Z" : `${value}x`;
}
