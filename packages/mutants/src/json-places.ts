/** How elements of a list are told apart in a path; those of one mark are meant together. */
export type MarkOf = (element: unknown) => string;

/** The paths of the scalars in a JSON value; null counts as absent. */
export function leafPaths(value: unknown, markOf: MarkOf): ReadonlySet<string> {
  const isLeaf = (one: unknown) => typeof one !== "object" && one !== undefined;
  return pathsOf(value, markOf, isLeaf);
}

/** The paths of the lists in a JSON value that hold anything. */
export function listPaths(value: unknown, markOf: MarkOf): ReadonlySet<string> {
  return pathsOf(value, markOf, (one) => Array.isArray(one) && one.length > 0);
}

/** The paths of the values that are asked for, in the order in which they stand. */
function pathsOf(
  value: unknown,
  markOf: MarkOf,
  isMeant: (value: unknown) => boolean,
  at = "",
  paths = new Set<string>(),
): ReadonlySet<string> {
  if (isMeant(value)) paths.add(at);
  if (Array.isArray(value)) {
    for (const element of value)
      pathsOf(element, markOf, isMeant, `${at}[${markOf(element)}]`, paths);
  } else if (typeof value === "object" && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      pathsOf(member, markOf, isMeant, `${at}.${name}`, paths);
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
