import { type Diagnosis, toDiagnosisJson } from "@jobset-ts/diagnose";
import type { JobSetSelector } from "../input/jobset-selector.ts";
import type { FilesAndCluster } from "../live/kubectl.ts";
import { createArgs } from "../live/kubectl-flags.ts";
import type { CommandResult } from "../output/command-result.ts";
import { formatJsonArray } from "../output/json.ts";
import { formatTemplate } from "../output/report.ts";
import { formatYaml } from "../output/yaml.ts";
import { diagnoseJobSets } from "./cluster/diagnose-jobsets.ts";
import { chooseJobSets, type DumpReportOptions, readDump } from "./cluster/dump.ts";
import { formatDiagnosis, type TextOptions } from "./explain/format-diagnosis.ts";

/** The options of `explain`. */
export type ExplainOptions = DumpReportOptions & JobSetSelector & Omit<TextOptions, "flags">;

/** Prints why JobSets make no progress, from the root cause to its symptoms. */
export async function explain(
  options: ExplainOptions,
  world: FilesAndCluster,
): Promise<CommandResult> {
  const dump = await readDump(options, world, { usesVersion: true });
  if (!dump.ok) return { output: [], diagnostics: dump.diagnostics, exitCode: 2 };
  const { jobSets, diagnostics, exitCode } = chooseJobSets(dump, options);
  const found = diagnoseJobSets(jobSets, dump, world.progress);
  if (typeof options.output === "object")
    return formatTemplate(options.output.jsonPath, [...toData(found)], { diagnostics, exitCode });
  return { output: formatDiagnoses(found, options), diagnostics, exitCode };
}

function* formatDiagnoses(
  found: Iterable<Diagnosis>,
  { output, isColored, columns, ...options }: ExplainOptions,
): Generator<string, void, undefined> {
  if (output === "json") {
    yield* formatJsonArray(toData(found));
    yield "\n";
  } else if (output === "yaml") {
    let any = false;
    for (const data of toData(found)) {
      any = true;
      yield formatYaml([data]);
    }
    if (!any) yield "[]\n";
  } else {
    const flags = options.filename === undefined ? createArgs(options) : [];
    const text = { isColored, flags, ...(columns !== undefined && { columns }) };
    let separator = "";
    for (const diagnosis of found) {
      yield separator;
      yield* formatDiagnosis(diagnosis, text);
      separator = "\n";
    }
  }
}

function* toData(found: Iterable<Diagnosis>): Generator<object, void, undefined> {
  for (const diagnosis of found) yield toDiagnosisJson(diagnosis);
}
