/** How elements of a list are told apart in a path; those of one mark are meant together. */
export type MarkOf = (element: unknown) => string;

/** The paths of the scalars in a JSON value; null counts as absent. */
export function leafPaths(
  value: unknown,
  markOf: MarkOf,
  at = "",
  paths = new Set<string>(),
): ReadonlySet<string> {
  if (Array.isArray(value)) {
    for (const element of value) leafPaths(element, markOf, `${at}[${markOf(element)}]`, paths);
  } else if (typeof value === "object" && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      leafPaths(member, markOf, `${at}.${name}`, paths);
    }
  } else if (value !== undefined && value !== null) {
    paths.add(at);
  }
  return paths;
}

/** The paths of the lists in a JSON value that hold anything. */
export function listPaths(
  value: unknown,
  markOf: MarkOf,
  at = "",
  paths = new Set<string>(),
): ReadonlySet<string> {
  if (Array.isArray(value)) {
    if (value.length > 0) paths.add(at);
    for (const element of value) listPaths(element, markOf, `${at}[${markOf(element)}]`, paths);
  } else if (typeof value === "object" && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      listPaths(member, markOf, `${at}.${name}`, paths);
    }
  }
  return paths;
}

/** A JSON value with another value wherever a path leads; what becomes `undefined` goes. */
export function changedAt(
  value: unknown,
  path: string,
  change: (value: unknown) => unknown,
  markOf: MarkOf,
  at = "",
): unknown {
  if (at === path) return change(value);
  if (!isOnTheWay(at, path)) return value;
  if (Array.isArray(value)) {
    return value
      .map((element) => changedAt(element, path, change, markOf, `${at}[${markOf(element)}]`))
      .filter((element) => element !== undefined);
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      const after = changedAt(member, path, change, markOf, `${at}.${name}`);
      return after === undefined ? [] : [[name, after]];
    }),
  );
}

function isOnTheWay(at: string, path: string): boolean {
  return path.startsWith(at) && (at === "" || /[.[]/.test(path[at.length] ?? ""));
}

/** Another scalar of the same type. */
export function altered(value: unknown): unknown {
  switch (typeof value) {
    case "number":
      return value + 1;
    case "boolean":
      return !value;
    default:
      return /^\d{4}-\d\d-/.test(String(value)) ? "2020-01-01T00:00:00Z" : `${value}x`;
  }
}
