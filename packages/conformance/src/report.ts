import { escapeUnprintable } from "@jobset-ts/api/text";
import type { DifferingCase, FamilyTally, SetAsideTally, Tally } from "./tally.ts";

/** The totals of a run. */
export interface Totals {
  readonly passed: number;
  readonly failed: number;
}

/** The options of a report. */
export interface ReportOptions {
  /** Whether a family that is not covered was selected by name, and so fails. */
  readonly failNotYetCovered: boolean;
}

/**
 * Counts agreements and failures. Failures are unexplained differences, cases of unknown families, invalid lines
 * and files, and families that were selected by name but are not covered. Cases that were set aside are in neither
 * number.
 */
export function sumTotals(tally: Tally, { failNotYetCovered }: ReportOptions): Totals {
  let passed = 0;
  let failed = tally.inputErrors;
  for (const counts of tally.families.values()) {
    passed += counts.agreeing + sumNumbers(counts.explained);
    failed += counts.differing;
    if (counts.coverage === "Unknown" || failNotYetCovered) failed += counts.unanswered;
  }
  return { passed, failed };
}

/** Formats the report. Its last line is always `N passed, N failed`. */
export function reportText(tally: Tally, options: ReportOptions): string {
  const families = [...tally.families.values()];
  const lines = families
    .filter((counts) => counts.coverage === "Answered")
    .flatMap((counts) => familyLines(counts, familyColumn(families)));
  lines.push(...setAsideLines([...tally.setAside.values()]));
  lines.push(...listUncovered(families, options));
  if (tally.inputErrors > 0)
    lines.push(`invalid files and lines: ${tally.inputErrors}, each counted as failed`);
  const { passed, failed } = sumTotals(tally, options);
  lines.push(`${passed} passed, ${failed} failed`);
  return lines.map((line) => `${escapeUnprintable(line)}\n`).join("");
}

function familyColumn(families: readonly FamilyTally[]): number {
  return Math.max(0, ...families.map((counts) => counts.family.length));
}

function familyLines(counts: FamilyTally, column: number): string[] {
  const replayed = counts.agreeing + counts.differing + sumNumbers(counts.explained);
  const lines = [`${counts.family.padEnd(column)}  ${counts.agreeing} of ${replayed} agree`];
  for (const [quirks, cases] of counts.explained) {
    lines.push(`  ${cases} differ by ${quirks}`);
  }
  for (const differing of counts.shown) lines.push(...caseLines(differing));
  const hidden = counts.differing - counts.shown.length;
  if (hidden > 0) lines.push(`  … and ${hidden} more`);
  return lines;
}

/** The number of differences to show per case. The first ones usually explain the others. */
const MAX_DIFFERENCES_PER_CASE = 8;

function caseLines({ id, tags, differences }: DifferingCase): string[] {
  const lines = [`  ${id} [${tags.join(", ")}]`];
  for (const { path, text } of differences.slice(0, MAX_DIFFERENCES_PER_CASE)) {
    lines.push(`    ${path}: ${text}`);
  }
  const hidden = differences.length - MAX_DIFFERENCES_PER_CASE;
  if (hidden > 0) lines.push(`    … and ${hidden} more`);
  return lines;
}

function setAsideLines(setAside: readonly SetAsideTally[]): string[] {
  return setAside.map(
    ({ tag, cases, agreeing }) =>
      `set aside: ${tag}: ${formatCaseCount(cases)}, of which ${agreeing} agree`,
  );
}

function listUncovered(
  families: readonly FamilyTally[],
  { failNotYetCovered }: ReportOptions,
): string[] {
  return families.flatMap(({ family, coverage, unanswered }) => {
    if (coverage === "Answered") return [];
    const fails = coverage === "Unknown" || failNotYetCovered;
    const why = coverage === "Unknown" ? "unknown family" : "not yet covered";
    return [
      `${why}: ${family}: ${formatCaseCount(unanswered)}${fails ? ", counted as failed" : ""}`,
    ];
  });
}

function formatCaseCount(cases: number): string {
  return cases === 1 ? "1 case" : `${cases} cases`;
}

function sumNumbers(counts: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const count of counts.values()) sum += count;
  return sum;
}
