import {
  type Diagnosis,
  diagnose,
  indexCluster,
  renderDiagnosis,
  toDiagnosisJson,
} from "@jobset-ts/diagnose";
import type { FilesAndClock } from "../input/sources.ts";
import type { Wanted } from "../input/wanted.ts";
import type { CommandResult } from "../output/command-result.ts";
import { jsonArray } from "../output/json.ts";
import { createPaint } from "../output/paint.ts";
import { printable, shortened } from "../output/printable.ts";
import type { Progress } from "../output/progress.ts";
import { templated } from "../output/report.ts";
import { yamlText } from "../output/yaml.ts";
import {
  type ChosenJobSets,
  chosenJobSets,
  type Dump,
  type DumpReportOptions,
  readDump,
} from "./cluster/dump.ts";

/** The options of `explain`. */
export interface ExplainOptions extends DumpReportOptions, Wanted {
  /** Whether the text is shown in colours. */
  readonly isColoured: boolean;
}

/** Prints why JobSets do not get on, from the root cause to its symptoms. */
export async function explain(
  options: ExplainOptions,
  world: FilesAndClock,
): Promise<CommandResult> {
  const dump = await readDump(options, world);
  if (!dump.ok) return { output: [], diagnostics: dump.diagnostics, exitCode: 2 };
  const { jobSets, diagnostics, exitCode } = chosenJobSets(dump, options);
  const found = diagnoses(jobSets, dump, world.progress);
  if (typeof options.output === "object")
    return templated(options.output.jsonPath, [...toData(found)], { diagnostics, exitCode });
  return { output: printed(found, options), diagnostics, exitCode };
}

/** One at a time: that of a large JobSet is large, too. */
function* diagnoses(
  jobSets: ChosenJobSets["jobSets"],
  { snapshot, now }: Dump,
  progress: Progress | undefined,
): Generator<Diagnosis, void, undefined> {
  const facts = indexCluster(snapshot);
  for (const [index, jobSet] of jobSets.entries()) {
    progress?.(`explaining ${index + 1} of ${jobSets.length} JobSets`);
    yield diagnose(snapshot, jobSet, { now }, facts);
  }
}

function* printed(
  found: Iterable<Diagnosis>,
  { output, isColoured }: ExplainOptions,
): Generator<string, void, undefined> {
  if (output === "json") {
    yield* jsonArray(toData(found));
    yield "\n";
  } else if (output === "yaml") {
    let any = false;
    for (const data of toData(found)) {
      any = true;
      yield yamlText([data]);
    }
    if (!any) yield "[]\n";
  } else {
    let separator = "";
    for (const diagnosis of found) {
      yield separator;
      yield* asText(diagnosis, isColoured);
      separator = "\n";
    }
  }
}

function* toData(found: Iterable<Diagnosis>): Generator<object, void, undefined> {
  for (const diagnosis of found) yield toDiagnosisJson(diagnosis);
}

/** How many lines of evidence are shown of a root cause; the rest is counted. */
const MAX_EVIDENCE = 5;
/** How many characters of a line are shown. */
const MAX_LINE = 400;

/** The evidence follows the root cause, because readers want it first. */
function* asText(diagnosis: Diagnosis, isColoured: boolean): Generator<string, void, undefined> {
  const paint = createPaint(isColoured);
  const chains = diagnosis.chains.values();
  for (const { mark, text } of renderDiagnosis(diagnosis)) {
    const line = shortened(printable(text), MAX_LINE);
    yield `${paint(looks[mark], line)}\n`;
    if (mark !== "root") continue;
    const evidence = chains.next().value?.links[0]?.evidence ?? [];
    for (const { object, at, text } of evidence.slice(0, MAX_EVIDENCE)) {
      const place = [`${object.kind}/${object.name}`, at].filter(Boolean).join(" ");
      yield `    ${shortened(printable(`${place}: ${text}`), MAX_LINE)}\n`;
    }
    const left = evidence.length - MAX_EVIDENCE;
    if (left > 0) yield `    … and ${left} more\n`;
  }
}

const looks = {
  heading: "bold",
  root: "red",
  symptom: "dim",
  advice: "green",
  note: "dim",
} as const;
