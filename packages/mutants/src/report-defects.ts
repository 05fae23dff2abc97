import type { Defect, Mutant } from "./defect.ts";
import { defects } from "./defects.ts";
import { brokenWithoutDefect, resurrect } from "./resurrect.ts";

/**
 * Brings the defects back one by one and prints what catches them; whether all is as it should be.
 *
 * @param rows - the rows to look at, by how they begin; all when there are none
 */
export async function reportDefects(
  root: string,
  rows: readonly string[],
  { isShort, shrinks }: { readonly isShort: boolean; readonly shrinks: boolean },
): Promise<boolean> {
  const seeds = isShort ? 3 : 20;
  const isMeant = ({ row }: Defect) =>
    rows.length === 0 || rows.some((start) => row.replace(" ", "").startsWith(start));
  const chosen = defects.filter(isMutant).filter(isMeant);
  // A quarter, spread over the list.
  const mutants = chosen.filter((_, index) => !isShort || rows.length > 0 || index % 4 === 0);
  const survivors: string[] = [];
  console.log(rowText(["ROW", "KILLED BY", "RUNS", "LINES", "MUTANT"]));
  for (const mutant of mutants) {
    const { runs, lines = "", others } = await resurrect(root, mutant, { seeds, shrinks });
    const needed = runs.filter((one) => one !== undefined);
    const isKilled = needed.length === seeds;
    const runsText = isKilled ? `${median(needed)} (${Math.max(...needed)})` : "survives";
    console.log(rowText([mutant.row, mutant.by, runsText, `${lines}`, mutant.what]));
    if (isKilled) continue;
    const seen = shrinks ? `; on the first one others see it: ${others.join(", ") || "none"}` : "";
    survivors.push(`SURVIVES ${mutant.row} on ${seeds - needed.length} of ${seeds} seeds${seen}`);
  }
  const killed = mutants.length - survivors.length;
  console.log(`
${killed} of ${mutants.length} mutants killed on each of ${seeds} seeds.
RUNS: the median, and in brackets the most. LINES: of the counterexample, shrunk.
`);
  if (rows.length === 0) {
    for (const defect of defects) {
      if (!isMutant(defect)) console.log(rowText([defect.row, whereabouts(defect)]));
    }
  }
  for (const line of survivors) console.log(line);
  const broken = rows.length === 0 ? await brokenWithoutDefect(isShort ? 1 : seeds) : [];
  for (const law of broken) console.log(`BROKEN WITHOUT A DEFECT ${law}`);
  return survivors.length === 0 && broken.length === 0;
}

function isMutant(defect: Defect): defect is Defect & Mutant {
  return "changes" in defect;
}

function whereabouts(defect: Exclude<Defect, Mutant>): string {
  switch (defect.of) {
    case "Simulator":
      return `for the simulator: ${defect.what}: ${defect.why}`;
    case "Nobody":
      return `not expressed: ${defect.what}: ${defect.why}`;
  }
}

const widths = [7, 40, 9, 5];

function rowText(cells: readonly string[]): string {
  return cells
    .map((cell, index) => `${cell.padEnd(widths[index] ?? 0)} `)
    .join("")
    .trimEnd();
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
