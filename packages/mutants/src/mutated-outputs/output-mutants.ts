import { isObject } from "@jobset-ts/api/kubernetes";

/** Changes an output. */
export type Mutate = (output: unknown) => unknown;

interface MutationOptions {
  /** The prefix of the paths. */
  readonly name: string;
  /** Returns the label of a list element. Elements with the same label share their paths. */
  readonly getLabel: (element: unknown) => string;
  readonly isMutated?: (path: string, isList: boolean) => boolean;
  /** Returns the copy that follows an element in a list. */
  readonly repeat?: (element: unknown) => unknown;
}

// biome-ignore lint/suspicious/noExplicitAny: the operators of lists are not called with scalars
type Operators = Readonly<Record<string, (value: any) => unknown>>;

/**
 * Returns a mutant for each operator at each path of an output. Its key is the operator and the path, such as
 * `drop passes[create Job].object.spec.suspend`. Paths of null and of empty lists have none.
 */
export function listMutants(
  output: unknown,
  { name, getLabel, isMutated = () => true, repeat = (element) => element }: MutationOptions,
): ReadonlyMap<string, Mutate> {
  const mutants = new Map<string, Mutate>();
  const addMutants = (path: string, operators: Operators, label = "") => {
    for (const [operator, change] of Object.entries(operators))
      mutants.set(`${operator} ${name}${path}${label}`, (other) =>
        mapValues(other, getLabel, (value, at) => (at === path ? change(value) : value)),
      );
  };
  mapValues(output, getLabel, (value, path) => {
    const isList = Array.isArray(value);
    if (isObject(value) || value === null || value === undefined || !isMutated(path, isList))
      return value;
    if (!isList) addMutants(path, { drop, alter: alterScalar });
    else if (value.length > 0) addMutants(path, path === "" ? { reverse } : { drop, reverse });
    for (const label of isList ? value.map(getLabel) : []) {
      const operators = createElementOperators((one) => getLabel(one) === label, repeat);
      addMutants(path, operators, `[${label}]`);
    }
    return value;
  });
  return mutants;
}

/**
 * Maps all values in a JSON value, the inner ones first. Undefined values are removed.
 *
 * @param change - receives the path of a value, such as `.status.conditions[Ready].reason`
 */
export function mapValues(
  value: unknown,
  getLabel: MutationOptions["getLabel"],
  change: (value: unknown, path: string) => unknown,
  path = "",
): unknown {
  const mapMember = (member: unknown, step: string) =>
    mapValues(member, getLabel, change, `${path}${step}`);
  if (Array.isArray(value)) {
    const elements = value.map((element) => mapMember(element, `[${getLabel(element)}]`));
    return change(
      elements.filter((element) => element !== undefined),
      path,
    );
  }
  if (!isObject(value)) return change(value, path);
  const members = Object.entries(value).map(([name, one]) => [name, mapMember(one, `.${name}`)]);
  return change(Object.fromEntries(members.filter(([, one]) => one !== undefined)), path);
}

const drop = () => undefined;
const reverse = (list: readonly unknown[]) => list.toReversed();

/** Returns another scalar of the same type. */
export function alterScalar(value: unknown): unknown {
  if (typeof value === "number") return value + 1;
  if (typeof value === "boolean") return !value;
  return /^\d{4}-\d\d-/.test(String(value)) ? "2020-01-01T00:00:00Z" : `${value}x`;
}

function createElementOperators(
  isSelected: (element: unknown) => boolean,
  repeat: (element: unknown) => unknown,
): Operators {
  const omit = (list: readonly unknown[]) => list.filter((one) => !isSelected(one));
  return {
    "leave out": omit,
    repeat: (list: readonly unknown[]) =>
      list.flatMap((one) => (isSelected(one) ? [one, repeat(one)] : one)),
    "move to the end": (list: readonly unknown[]) => [...omit(list), ...list.filter(isSelected)],
  };
}
