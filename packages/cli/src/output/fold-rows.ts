import { foldTexts } from "@jobset-ts/sim/history";
import type { Cell } from "./table.ts";

/** Fewer rows are not folded, as in a timeline. */
const MIN_FOLDED = 4;

/** Folds adjacent rows of a table that differ only by indexes into one row, such as `Job/train-w-{0..255}`. */
export function* foldRows(
  rows: Iterable<readonly Cell[]>,
): Generator<readonly Cell[], void, undefined> {
  let group: (readonly Cell[])[] = [];
  for (const row of rows) {
    const [first] = group;
    if (first !== undefined && !row.every((cell, column) => hasSameText(first[column], cell))) {
      yield* foldGroup(group);
      group = [];
    }
    group.push(row);
  }
  yield* foldGroup(group);
}

function hasSameText(one: Cell, other: Cell): boolean {
  if (one === other) return true;
  if (typeof one !== "string" || typeof other !== "string") return false;
  return foldTexts([one, other]) !== undefined;
}

function foldGroup(group: readonly (readonly Cell[])[]): readonly (readonly Cell[])[] {
  const [first] = group;
  if (first === undefined || group.length < MIN_FOLDED) return group;
  const row = first.map((cell, column) => {
    const texts = group.flatMap((one) => {
      const text = one[column];
      return typeof text === "string" ? [text] : [];
    });
    return texts.length < group.length ? cell : foldTexts(texts);
  });
  return [row];
}
