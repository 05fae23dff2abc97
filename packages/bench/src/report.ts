import type { Measurement } from "./measure.ts";

/** One line of the report and one element of the JSON file. */
export interface Result extends Measurement {
  readonly name: string;
}

const widths = [22, 9, 10, 12, 12];

export const tableHeading = line(["NAME", "SIZE", "RATIO", "MS", "FLOOR MS"], "FLOOR");

/** A result as one line of the table. */
export function row({ name, size, ratio, ms, floorMs, floor }: Result): string {
  return line([name, String(size), digits(ratio), digits(ms), digits(floorMs)], floor);
}

function line(cells: readonly string[], last: string): string {
  const padded = cells.map((cell, column) =>
    column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
  );
  return `${padded.join("")}   ${last}\n`;
}

/** Three significant digits. */
function digits(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
