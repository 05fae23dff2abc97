import { isObject } from "@jobset-ts/api/kubernetes";

/** Returns the label of a list element. Elements with the same label share their paths. */
export type GetLabel = (element: unknown) => string;

/** The paths in an output: of scalars, and of lists with the labels of their elements. */
export interface OutputPaths {
  readonly scalars: Set<string>;
  readonly lists: Map<string, Set<string>>;
}

/** Lists the paths of the scalars and of the non-empty lists in a JSON value. Null counts as absent. */
export function listPaths(
  value: unknown,
  getLabel: GetLabel,
  path = "",
  paths: OutputPaths = { scalars: new Set(), lists: new Map() },
): OutputPaths {
  if (Array.isArray(value)) {
    for (const element of value) {
      const label = getLabel(element);
      paths.lists.set(path, (paths.lists.get(path) ?? new Set()).add(label));
      listPaths(element, getLabel, `${path}[${label}]`, paths);
    }
  } else if (isObject(value)) {
    for (const [name, member] of Object.entries(value))
      listPaths(member, getLabel, `${path}.${name}`, paths);
  } else if (value !== undefined && value !== null) paths.scalars.add(path);
  return paths;
}

/** Returns a JSON value with other values at a path. Undefined values are removed. */
export function mutateAt(
  value: unknown,
  path: string,
  mutate: (value: unknown) => unknown,
  getLabel: GetLabel,
  at = "",
): unknown {
  if (at === path) return mutate(value);
  if (typeof value !== "object" || value === null) return value;
  if (!path.startsWith(at) || !/^$|^[.[]/.test(at && path.slice(at.length))) return value;
  const mutateMember = (member: unknown, step: string) =>
    mutateAt(member, path, mutate, getLabel, `${at}${step}`);
  if (Array.isArray(value))
    return value
      .map((element) => mutateMember(element, `[${getLabel(element)}]`))
      .filter((element) => element !== undefined);
  const members = Object.entries(value).map(([name, one]) => [name, mutateMember(one, `.${name}`)]);
  return Object.fromEntries(members.filter(([, one]) => one !== undefined));
}
