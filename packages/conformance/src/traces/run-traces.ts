import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { escapeUnprintable } from "@jobset-ts/api/text";
import { compareTrace, type LineDifference, type TraceComparison } from "./compare-trace.ts";
import { beginsLikeTrace, parseTraces, readTraceFile, type Trace } from "./trace.ts";

/** Returns whether an argument names a trace file or a folder of traces. */
export function isTraceInput(path: string): boolean {
  if (!existsSync(path)) return false;
  const [first] = getTraceFiles(path);
  return first !== undefined && beginsLikeTrace(first);
}

/** Returns the files of a folder, or the file itself. */
function getTraceFiles(path: string): readonly string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .filter((name) => name.endsWith(".jsonl") || name.endsWith(".jsonl.gz"))
    .sort()
    .map((name) => join(path, name));
}

/** The number of trace lines that agree with the simulated cluster, and the number that differ. */
export interface TraceTotals {
  readonly passed: number;
  readonly failed: number;
}

export interface TraceOptions {
  /** The number of differing lines to show per family. */
  readonly differences: number;
  /** The selected families. All by default. */
  readonly families?: readonly string[];
  /** The ID of the only trace to play. */
  readonly id?: string;
}

/**
 * Plays the inputs of recorded traces in a simulated cluster, and compares the observations line by line.
 *
 * @returns `undefined` if no trace matches the families and the ID
 */
export function runTraces(
  paths: readonly string[],
  { differences, families: selected = [], id }: TraceOptions,
  write: (line: string) => void,
): TraceTotals | undefined {
  const families = new Map<string, TraceComparison[]>();
  let unreadable = 0;
  for (const file of paths.flatMap(getTraceFiles)) {
    const read = readTraces(file);
    if (typeof read === "string") {
      unreadable += 1;
      write(escapeUnprintable(read));
      continue;
    }
    for (const trace of read) {
      if (selected.length > 0 && !selected.includes(trace.family)) continue;
      if (id !== undefined && id !== trace.id) continue;
      const family = families.get(trace.family) ?? [];
      families.set(trace.family, family);
      family.push(compareTrace(trace));
    }
  }
  if (families.size === 0 && unreadable === 0) return undefined;
  const column = Math.max(0, ...[...families.keys()].map((name) => name.length));
  let [passed, failed] = [0, unreadable];
  for (const [name, compared] of families) {
    const counts = countItems(compared);
    passed += counts.agreed + counts.explained;
    failed += counts.differing.length;
    const lines = counts.agreed + counts.explained + counts.differing.length;
    write(`${name.padEnd(column)}  ${counts.agreed} of ${lines} lines agree`);
    for (const difference of counts.differing.slice(0, differences)) {
      writeDifference(difference, write);
    }
    const hidden = counts.differing.length - differences;
    if (hidden > 0) write(`  … and ${hidden} more`);
  }
  writeTotals([...families.values()].flat(), write);
  write(`${passed} passed, ${failed} failed`);
  return { passed, failed };
}

/** Returns the traces of a file, or an error message. */
function readTraces(file: string): readonly Trace[] | string {
  try {
    return parseTraces(file, readTraceFile(file));
  } catch (error) {
    return error instanceof Error ? error.message : `${basename(file)}: ${error}`;
  }
}

function countItems(compared: readonly TraceComparison[]) {
  let [agreed, explained] = [0, 0];
  for (const trace of compared) {
    agreed += trace.agreed;
    for (const count of trace.explained.values()) explained += count;
  }
  return { agreed, explained, differing: compared.flatMap(({ differing }) => differing) };
}

function writeTotals(compared: readonly TraceComparison[], write: (line: string) => void): void {
  const named = new Map<string, number>();
  for (const { explained } of compared) {
    for (const [name, count] of explained) named.set(name, (named.get(name) ?? 0) + count);
  }
  for (const [name, count] of named) write(`${count} lines differ by ${name}`);
  const agreeing = compared.filter(({ differing }) => differing.length === 0);
  write(`${agreeing.length} of ${compared.length} traces agree`);
}

function writeDifference(
  { where, expected, actual }: LineDifference,
  write: (line: string) => void,
): void {
  write(escapeUnprintable(`  ${where}`));
  write(escapeUnprintable(`    expected ${JSON.stringify(expected)}`));
  write(escapeUnprintable(`    got      ${JSON.stringify(actual)}`));
}
