import { type GetLabel, listPaths, mutateAt } from "./output-paths.ts";

/** One mutation operator at one path of a subject's outputs. */
export interface OutputMutant {
  /** Such as `drop`, `alter` or `reverse`. */
  readonly operator: string;
  readonly path: string;
  readonly mutate: (output: unknown) => unknown;
}

interface MutationOptions {
  /** The prefix of the paths. */
  readonly name: string;
  readonly getLabel: GetLabel;
  readonly isMutated?: (path: string, isList: boolean) => boolean;
  /** Returns the copy that follows an element in a list. */
  readonly repeat?: (element: unknown) => unknown;
}

/** Returns a mutant for each operator at each path of an output. */
export function listMutants(output: unknown, options: MutationOptions): readonly OutputMutant[] {
  const { name, getLabel, isMutated = () => true, repeat = (element) => element } = options;
  const { scalars, lists } = listPaths(output, getLabel);
  const createMutant =
    (path: string, label = "") =>
    // biome-ignore lint/suspicious/noExplicitAny: the operators of lists are not called with scalars
    ([operator, mutate]: [string, (value: any) => unknown]): OutputMutant => ({
      operator,
      path: `${name}${path}${label}`,
      mutate: (other) => mutateAt(other, path, mutate, getLabel),
    });
  return [
    ...[...scalars]
      .filter((path) => isMutated(path, false))
      .flatMap((path) => Object.entries(scalarOperators).map(createMutant(path))),
    ...[...lists]
      .filter(([path]) => isMutated(path, true))
      .flatMap(([path, labels]) => [
        ...Object.entries(listOperators)
          .filter(([operator]) => path !== "" || operator !== "drop")
          .map(createMutant(path)),
        ...[...labels].flatMap((label) => {
          const operators = createElementOperators((one) => getLabel(one) === label, repeat);
          return Object.entries(operators).map(createMutant(path, `[${label}]`));
        }),
      ]),
  ];
}

const scalarOperators = { drop: () => undefined, alter: alterScalar };

const listOperators = {
  drop: () => undefined,
  reverse: (list: readonly unknown[]) => list.toReversed(),
};

function createElementOperators(
  isSelected: (element: unknown) => boolean,
  repeat: (element: unknown) => unknown,
) {
  const omit = (list: readonly unknown[]) => list.filter((one) => !isSelected(one));
  return {
    "leave out": omit,
    repeat: (list: readonly unknown[]) =>
      list.flatMap((one) => (isSelected(one) ? [one, repeat(one)] : one)),
    "move to the end": (list: readonly unknown[]) => [...omit(list), ...list.filter(isSelected)],
  };
}

/** Returns another scalar of the same type. */
export function alterScalar(value: unknown): unknown {
  if (typeof value === "number") return value + 1;
  if (typeof value === "boolean") return !value;
  return /^\d{4}-\d\d-/.test(String(value)) ? "2020-01-01T00:00:00Z" : `${value}x`;
}
