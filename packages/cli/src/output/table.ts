import { escapeLine, truncate } from "./escape.ts";

/** What stands where there is nothing to say, as in kubectl. */
const NONE = "<none>";
const GUTTER = "   ";
/** How many rows are laid out at a time: as many as kubectl asks a server for at once. */
const BLOCK = 500;

/** A cell: nothing is shown as `<none>`. */
export type Cell = string | number | boolean | undefined;

/**
 * A table as kubectl prints it: headings in capitals, columns as wide as they need to be, three spaces between them.
 *
 * Rows are laid out in blocks, so that a long table starts to appear at once; a later block may be wider than the
 * ones before it, never narrower.
 */
export function* formatTable(
  headings: readonly string[],
  rows: Iterable<readonly Cell[]>,
): Generator<string, void, undefined> {
  let block: (readonly string[])[] = [headings];
  const widths: number[] = headings.map(() => 0);
  let any = false;
  for (const row of rows) {
    any = true;
    block.push(row.map(formatCell));
    if (block.length < BLOCK) continue;
    yield* layOut(block, widths);
    block = [];
  }
  if (any) yield* layOut(block, widths);
}

/** How many characters of a cell are shown. */
const MAX_CELL = 1000;

/** What a file holds in place of text or a number is shown as JSON. */
function formatCell(cell: unknown): string {
  if (cell === undefined || cell === null || cell === "") return NONE;
  const text = typeof cell === "object" ? JSON.stringify(cell) : String(cell);
  return truncate(escapeLine(text), MAX_CELL);
}

function* layOut(
  block: readonly (readonly string[])[],
  widths: number[],
): Generator<string, void, undefined> {
  for (const row of block) {
    for (const [column, cell] of row.entries()) {
      widths[column] = Math.max(widths[column] ?? 0, cell.length);
    }
  }
  for (const row of block) {
    const cells = row.map((cell, column) =>
      column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0),
    );
    yield `${cells.join(GUTTER)}\n`;
  }
}
