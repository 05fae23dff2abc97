import type { Measurement } from "./measure.ts";
import type { MemoryMeasurement } from "./measure-memory.ts";

/** One line of the report, and one element of the JSON file. */
export type Result = (Measurement | MemoryMeasurement) & { readonly name: string };

const widths = [22, 9, 10, 12, 12];

export const tableHeading = line(["NAME", "SIZE", "RATIO", "MEASURED", "FLOOR"], "FLOOR IS");

/** Formats a result as one line of the table. */
export function row(result: Result): string {
  const { name, size, ratio, floor } = result;
  const [value, floorValue, unit] =
    "ms" in result ? [result.ms, result.floorMs, "ms"] : [result.mb, result.floorMb, "MB"];
  const measured = [value, floorValue].map((one) => `${digits(one)} ${unit}`);
  const target = "target" in result ? ` (target: at most ${result.target})` : "";
  return line([name, String(size), digits(ratio), ...measured], `${floor}${target}`);
}

function line(cells: readonly string[], last: string): string {
  const padded = cells.map((cell, column) =>
    column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
  );
  return `${padded.join("")}   ${last}\n`;
}

/** Formats a number with three significant digits. */
function digits(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
