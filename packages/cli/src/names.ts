import { type AdmittedJobSet, admittedJobSets } from "./admitted-jobsets.ts";
import type { CommandResult } from "./command.ts";
import type { Files } from "./input/sources.ts";
import { type NameRow, nameRows } from "./name-rows.ts";
import type { JobSetOptions } from "./options.ts";
import { printable } from "./output/printable.ts";
import { reported } from "./output/report.ts";
import { type Cell, tableLines } from "./output/table.ts";

/** Prints the names that the JobSets of some files lead to, and under which of them Pods find each other. */
export async function names(options: JobSetOptions, files: Files): Promise<CommandResult> {
  const { jobSets, diagnostics, exitCode } = await admittedJobSets(options, files);
  const items = rowsOf(jobSets);
  if (options.output === "name") return { output: podNames(items), diagnostics, exitCode };
  const table = tableLines(headings, cells(items));
  return reported({ items, table, diagnostics, exitCode }, options.output);
}

function* rowsOf(jobSets: readonly AdmittedJobSet[]): Generator<NameRow, void, undefined> {
  for (const { jobSet } of jobSets) yield* nameRows(jobSet);
}

/** Under which name each Pod is found; what a host file needs. */
function* podNames(rows: Iterable<NameRow>): Generator<string, void, undefined> {
  for (const { kind, name, dnsName } of rows)
    if (kind === "Pod") yield `${printable(dnsName ?? name)}\n`;
}

const headings = ["KIND", "NAME", "REPLICATEDJOB", "JOB-INDEX", "POD-INDEX", "DNS-NAME"];

function* cells(rows: Iterable<NameRow>): Generator<readonly Cell[], void, undefined> {
  for (const row of rows) {
    yield [row.kind, row.name, row.replicatedJob, row.jobIndex, row.podIndex, row.dnsName];
  }
}
