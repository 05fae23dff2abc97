import { alterValue, changeAtPath, type Mark, placesIn } from "./places.ts";

/** A change of a subject's answers, at every position that it fits. */
export interface AnswerMutant {
  /** The change: `drop`, `alter`, `turn round`, … */
  readonly change: string;
  readonly place: string;
  readonly mutate: (result: unknown) => unknown;
}

/** Options for the mutants of an answer. */
export interface MutationOptions {
  /** The prefix of the positions. */
  readonly name: string;
  readonly mark: Mark;
  readonly isPlace?: (path: string, isList: boolean) => boolean;
  /** Returns what an element of a list is repeated as. */
  readonly repeat?: (element: unknown) => unknown;
}

type ListChange = (list: readonly unknown[]) => unknown;

/** Returns a mutant for each change of each position in an answer. */
export function mutantsOfAnswer(
  result: unknown,
  options: MutationOptions,
): readonly AnswerMutant[] {
  const { name, mark, isPlace = () => true, repeat = (element) => element } = options;
  const { leaves, lists } = placesIn(result, mark);
  const mutantsAt = (path: string, changes: Readonly<Record<string, ListChange>>, element = "") =>
    Object.entries(changes).map(([change, apply]): AnswerMutant => {
      const mutate = (one: unknown) =>
        changeAtPath(one, path, apply as (value: unknown) => unknown, mark);
      return { change, place: `${name}${path}${element}`, mutate };
    });
  return [
    ...[...leaves]
      .filter((path) => isPlace(path, false))
      .flatMap((path) => mutantsAt(path, { drop: () => undefined, alter: alterValue })),
    ...[...lists]
      .filter((path) => isPlace(path, true))
      .flatMap((path) => {
        const marks = new Set<string>();
        changeAtPath(
          result,
          path,
          (list) => (list as unknown[]).map((one) => marks.add(mark(one))),
          mark,
        );
        return [
          ...mutantsAt(path, { "turn round": (list) => list.toReversed() }),
          ...(path === "" ? [] : mutantsAt(path, { drop: () => undefined })),
          ...[...marks].flatMap((one) => {
            const isMeant = (element: unknown) => mark(element) === one;
            return mutantsAt(
              path,
              {
                "leave out": (list) => list.filter((element) => !isMeant(element)),
                repeat: (list) =>
                  list.flatMap((element) =>
                    isMeant(element) ? [element, repeat(element)] : element,
                  ),
                "move to the end": (list) => [
                  ...list.filter((element) => !isMeant(element)),
                  ...list.filter(isMeant),
                ],
              },
              `[${one}]`,
            );
          }),
        ];
      }),
  ];
}
