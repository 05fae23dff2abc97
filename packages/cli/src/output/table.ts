import { escapeLine, truncate } from "./escape.ts";

/** The text for an absent value, as in kubectl. */
const NONE = "<none>";
const GUTTER = "   ";
/** The number of rows in a block. It equals the page size of kubectl's list requests. */
const BLOCK = 500;

/** A cell of a table. `undefined` is shown as `<none>`. */
export type Cell = string | number | boolean | undefined;

/**
 * Formats a table as kubectl does: uppercase headings, columns as wide as needed, and three spaces between them.
 *
 * Rows are formatted in blocks, so that a long table starts to appear at once. A later block can be wider than the
 * previous ones, but never narrower.
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

/** The maximum number of characters of a cell. */
const MAX_CELL = 1000;

/** Formats a value of a file that is not a string or number as JSON. */
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
