import { createSnapshot } from "@jobset-ts/core";
import { toDiagnosisJson } from "@jobset-ts/diagnose";
import { formatDumpHeader, HEADER_MEMBER } from "../input/dump-header.ts";
import type { InputObject } from "../input/objects.ts";
import { keepForDiagnosis } from "../live/keep-for-diagnosis.ts";
import type { FilesAndCluster } from "../live/kubectl.ts";
import type { CommandResult } from "../output/command-result.ts";
import { escapeText } from "../output/escape.ts";
import { diagnoseJobSets } from "./cluster/diagnose-jobsets.ts";
import {
  chooseJobSets,
  type Dump,
  type DumpOptions,
  type JobSetSelection,
  readDump,
} from "./cluster/dump.ts";
import { omitAllOfOtherJobSets, omitOtherJobSets } from "./dump/omit-other-jobsets.ts";

/** Prints the objects that `explain` reads, without values that may be secret. */
export async function dump(options: DumpOptions, world: FilesAndCluster): Promise<CommandResult> {
  const read = await readDump(options, world);
  if (!read.ok) return { output: [], diagnostics: read.diagnostics, exitCode: 2 };
  const { jobSets, diagnostics, exitCode } = chooseJobSets(read, options);
  const all = read.objects
    .map(({ value }) => keepForDiagnosis(value))
    .filter((value) => value !== undefined);
  const values =
    jobSets.length < read.snapshot.jobSets.length ? selectObjects(all, read, jobSets) : all;
  return { output: formatDump(read, values), diagnostics, exitCode };
}

/**
 * Returns the objects without those of other JobSets, unless this changes a diagnosis. Then only the other JobSets are
 * omitted, because their Pods may not have been read. If this changes a diagnosis, too, returns all objects.
 */
function selectObjects(
  all: readonly InputObject["value"][],
  dump: Dump,
  jobSets: JobSetSelection["jobSets"],
): readonly InputObject["value"][] {
  const explain = (read: Pick<Dump, "snapshot" | "now" | "quirks">) =>
    JSON.stringify([...diagnoseJobSets(jobSets, read, undefined)].map(toDiagnosisJson));
  const expected = explain(dump);
  const selections = [omitAllOfOtherJobSets(all, jobSets), omitOtherJobSets(all, jobSets)];
  const found = selections.find(
    (values) => explain({ ...dump, snapshot: createSnapshot(values, dump) }) === expected,
  );
  return found ?? all;
}

function* formatDump(
  dump: Dump,
  values: readonly InputObject["value"][],
): Generator<string, void, undefined> {
  yield `{"apiVersion":"v1","kind":"List","${HEADER_MEMBER}":${toJson(formatDumpHeader(dump))},"items":[`;
  let separator = "\n";
  for (const value of values) {
    yield `${separator}${toJson(value)}`;
    separator = ",\n";
  }
  yield "\n]}\n";
}

function toJson(value: object): string {
  return escapeText(JSON.stringify(value));
}
