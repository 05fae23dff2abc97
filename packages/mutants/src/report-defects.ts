import { type Defect, defects, type Mutant } from "./defects.ts";
import { brokenWithoutDefect, type Resurrected, resurrect } from "./resurrect.ts";

/** Brings the defects back one by one and prints what catches them; whether all is as it should be. */
export async function reportDefects(root: string, isShort: boolean): Promise<boolean> {
  const seeds = isShort ? 3 : 20;
  const mutants = defects.filter(isMutant).filter((_, index) => !isShort || index % 3 === 0);
  const survivors: Resurrected[] = [];
  console.log(rowText(["ROW", "MUTANT", "KILLED BY", "RUNS", "LINES"]));
  for (const mutant of mutants) {
    const one = await resurrect(root, mutant, seeds);
    const { law = "nothing", runs, lines = "" } = one;
    const needed = runs.length === 0 ? "" : `${median(runs)} (${Math.max(...runs)})`;
    console.log(rowText([mutant.row, mutant.what, law, needed, `${lines}`]));
    if (one.law === undefined) survivors.push(one);
  }
  console.log(
    `\n${mutants.length} mutants on ${seeds} seeds, ${mutants.length - survivors.length} of them killed by one law on all. RUNS: median, and in brackets the most. LINES: of the shrunk counterexample.\n`,
  );
  for (const defect of defects) {
    if (!isMutant(defect)) console.log(rowText([defect.row, defect.what, whereabouts(defect)]));
  }
  for (const { defect, caught } of survivors) {
    const by = [...caught].map(([law, count]) => `${law} on ${count}`).join(", ");
    console.log(`SURVIVES ${defect.row} ${defect.what}: ${by || "never caught"}`);
  }
  const broken = await brokenWithoutDefect(seeds);
  for (const law of broken) console.log(`BROKEN WITHOUT A DEFECT ${law}`);
  return survivors.length === 0 && broken.length === 0;
}

function isMutant(defect: Defect): defect is Defect & Mutant {
  return "changes" in defect;
}

function whereabouts(defect: Exclude<Defect, Mutant>): string {
  switch (defect.of) {
    case "Simulator":
      return `for the simulator: ${defect.why}`;
    case "Webhooks":
      return "for the webhook laws";
    case "Nobody":
      return `not expressed: ${defect.why}`;
  }
}

const widths = [6, 58, 40, 10, 0];

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
