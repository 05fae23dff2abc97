import { admittedJobSets } from "./admitted-jobsets.ts";
import type { CommandResult } from "./command.ts";
import type { Files } from "./input/sources.ts";
import { type NameRow, nameRows } from "./name-rows.ts";
import type { JobSetOptions } from "./options.ts";
import { jsonArray } from "./output/json.ts";
import { type Cell, tableLines } from "./output/table.ts";
import { yamlText } from "./output/yaml.ts";

/** Prints the names that the JobSets of some files lead to, and under which of them Pods find each other. */
export async function names(options: JobSetOptions, files: Files): Promise<CommandResult> {
  const { jobSets, diagnostics, exitCode } = await admittedJobSets(options, files);
  if (exitCode !== 0) return { output: [], diagnostics, exitCode };
  const rows = function* () {
    for (const { jobSet } of jobSets) yield* nameRows(jobSet);
  };
  return { output: printed(rows(), options.output), diagnostics, exitCode };
}

function printed(rows: Iterable<NameRow>, format: JobSetOptions["output"]): Iterable<string> {
  switch (format) {
    case "yaml":
      return yamlList(rows);
    case "json":
      return jsonLines(rows);
    case "table":
      return tableLines(headings, cells(rows));
    case "name":
      return podNames(rows);
  }
}

function* yamlList(rows: Iterable<NameRow>): Generator<string, void, undefined> {
  for (const row of rows) yield yamlText([row]);
}

function* jsonLines(rows: Iterable<NameRow>): Generator<string, void, undefined> {
  yield* jsonArray(rows);
  yield "\n";
}

/** Under which name each Pod is found; what a host file needs. */
function* podNames(rows: Iterable<NameRow>): Generator<string, void, undefined> {
  for (const { kind, name, dnsName } of rows) if (kind === "Pod") yield `${dnsName ?? name}\n`;
}

const headings = ["KIND", "NAME", "REPLICATEDJOB", "JOB-INDEX", "POD-INDEX", "DNS-NAME"];

function* cells(rows: Iterable<NameRow>): Generator<readonly Cell[], void, undefined> {
  for (const row of rows) {
    yield [row.kind, row.name, row.replicatedJob, row.jobIndex, row.podIndex, row.dnsName];
  }
}
