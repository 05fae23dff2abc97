import {
  type Diagnosis,
  diagnose,
  indexCluster,
  renderDiagnosis,
  toDiagnosisJson,
} from "@jobset-ts/diagnose";
import type { JobSetSelector } from "../input/jobset-selector.ts";
import type { FilesAndClock } from "../input/sources.ts";
import type { CommandResult } from "../output/command-result.ts";
import { escapeLine, truncate } from "../output/escape.ts";
import { formatJsonArray } from "../output/json.ts";
import { createPaint } from "../output/paint.ts";
import type { Progress } from "../output/progress.ts";
import { formatTemplate } from "../output/report.ts";
import { formatYaml } from "../output/yaml.ts";
import {
  chooseJobSets,
  type Dump,
  type DumpReportOptions,
  type JobSetSelection,
  readDump,
} from "./cluster/dump.ts";

/** The options of `explain`. */
export interface ExplainOptions extends DumpReportOptions, JobSetSelector {
  /** Whether the text has colors. */
  readonly isColoured: boolean;
}

/** Prints why JobSets make no progress, from the root cause to its symptoms. */
export async function explain(
  options: ExplainOptions,
  world: FilesAndClock,
): Promise<CommandResult> {
  const dump = await readDump(options, world);
  if (!dump.ok) return { output: [], diagnostics: dump.diagnostics, exitCode: 2 };
  const { jobSets, diagnostics, exitCode } = chooseJobSets(dump, options);
  const found = diagnoseJobSets(jobSets, dump, world.progress);
  if (typeof options.output === "object")
    return formatTemplate(options.output.jsonPath, [...toData(found)], { diagnostics, exitCode });
  return { output: formatDiagnoses(found, options), diagnostics, exitCode };
}

/** Yields one diagnosis at a time, because the diagnosis of a large JobSet is large, too. */
function* diagnoseJobSets(
  jobSets: JobSetSelection["jobSets"],
  { snapshot, now }: Dump,
  progress: Progress | undefined,
): Generator<Diagnosis, void, undefined> {
  const facts = indexCluster(snapshot);
  for (const [index, jobSet] of jobSets.entries()) {
    progress?.(`explaining ${index + 1} of ${jobSets.length} JobSets`);
    yield diagnose(snapshot, jobSet, { now }, facts);
  }
}

function* formatDiagnoses(
  found: Iterable<Diagnosis>,
  { output, isColoured }: ExplainOptions,
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
    let separator = "";
    for (const diagnosis of found) {
      yield separator;
      yield* formatDiagnosis(diagnosis, isColoured);
      separator = "\n";
    }
  }
}

function* toData(found: Iterable<Diagnosis>): Generator<object, void, undefined> {
  for (const diagnosis of found) yield toDiagnosisJson(diagnosis);
}

/** The maximum number of evidence lines of a root cause. The others are counted. */
const MAX_EVIDENCE = 5;
/** The maximum number of characters of a line. */
const MAX_LINE = 400;

/** The evidence follows the root cause, because readers want it first. */
function* formatDiagnosis(
  diagnosis: Diagnosis,
  isColoured: boolean,
): Generator<string, void, undefined> {
  const paint = createPaint(isColoured);
  const chains = diagnosis.chains.values();
  for (const { role, text } of renderDiagnosis(diagnosis)) {
    const line = truncate(escapeLine(text), MAX_LINE);
    yield `${paint(styles[role], line)}\n`;
    if (role !== "Root") continue;
    const evidence = chains.next().value?.links[0]?.evidence ?? [];
    for (const { object, at, text } of evidence.slice(0, MAX_EVIDENCE)) {
      const place = [`${object.kind}/${object.name}`, at].filter(Boolean).join(" ");
      yield `    ${truncate(escapeLine(`${place}: ${text}`), MAX_LINE)}\n`;
    }
    const left = evidence.length - MAX_EVIDENCE;
    if (left > 0) yield `    … and ${left} more\n`;
  }
}

const styles = {
  Heading: "bold",
  Root: "red",
  Symptom: "dim",
  Advice: "green",
  Note: "dim",
} as const;
