import {
  explainDenial,
  previewUpdate,
  renderExplanation,
  type UpdatePreview,
} from "@jobset-ts/admission";
import { contextOf } from "@jobset-ts/core";
import type { CommandResult } from "./command.ts";
import { denialDiagnostics } from "./denial-diagnostics.ts";
import type { Diagnostic } from "./diagnostics.ts";
import { readCluster } from "./input/cluster.ts";
import { type InputObject, readObjects } from "./input/objects.ts";
import { type FilesAndClock, readSources } from "./input/sources.ts";
import type { DiffOptions } from "./options.ts";
import { type Cell, tableLines } from "./output/table.ts";
import { yamlDocuments } from "./output/yaml.ts";

/** Prints what an edit of a JobSet changes, whether it is admitted, and what the controller does then. */
export async function diff(
  [oldFile, newFile]: readonly [string, string],
  options: DiffOptions,
  files: FilesAndClock,
): Promise<CommandResult> {
  const old = await oneJobSet(oldFile, files);
  const next = await oneJobSet(newFile, files);
  const cluster = await readCluster(options.cluster ?? [], files, knownKinds);
  const problems = [...old.diagnostics, ...next.diagnostics, ...cluster.diagnostics];
  const { snapshot } = cluster;
  if (old.jobSet === undefined || next.jobSet === undefined || snapshot === undefined) {
    return { output: [], diagnostics: problems, exitCode: 2 };
  }
  const context = contextOf({
    now: options.now ?? files.now(),
    features: Object.fromEntries([...options.featureGates].map((name) => [name, true])),
    quirks: options.quirks,
  });
  const preview = previewUpdate(old.jobSet.value, next.jobSet.value, snapshot, context);
  const { admission, changes } = preview;
  const { diagnose } = next.jobSet;
  const warnings = admission.warnings.map(({ field, message }) =>
    diagnose(field, message, "warning"),
  );
  const refusals = admission.allowed ? [] : denialDiagnostics(admission.denial, diagnose);
  const diagnostics = [...warnings, ...refusals];
  const exitCode = changes.length === 0 && admission.allowed ? 0 : 1;
  return { output: printed(preview, options.output), diagnostics, exitCode };
}

/** Without a dump there is nothing in the cluster; with one, kinds of which there is nothing are left out. */
const knownKinds = { kinds: ["PersistentVolumeClaim", "Job", "Service", "Pod"] };

async function oneJobSet(
  file: string,
  files: FilesAndClock,
): Promise<{ readonly jobSet?: InputObject; readonly diagnostics: readonly Diagnostic[] }> {
  const { sources, diagnostics: unreadable } = await readSources([file], files);
  const { jobSets, diagnostics } = readObjects(sources);
  const problems = [...unreadable, ...diagnostics];
  if (problems.length > 0) return { diagnostics: problems };
  const [jobSet, ...others] = jobSets;
  if (jobSet !== undefined && others.length === 0) return { jobSet, diagnostics: [] };
  const message = `expected one JobSet, found ${jobSets.length}`;
  return { diagnostics: [{ severity: "error", file, message }] };
}

function printed(preview: UpdatePreview, format: DiffOptions["output"]): Iterable<string> {
  switch (format) {
    case "table":
      return tables(preview);
    case "json":
      return [`${JSON.stringify(preview, null, 2)}\n`];
    case "yaml":
      return yamlDocuments([preview]);
  }
}

function* tables({
  changes,
  admission,
  consequences,
}: UpdatePreview): Generator<string, void, undefined> {
  yield* tableLines(
    ["FIELD", "FROM", "TO", "MUTABILITY", "PERMITTED", "WHY"],
    changes.map(({ path, from, to, mutability, permitted, reason }): readonly Cell[] => [
      path,
      inShort(from),
      inShort(to),
      mutability,
      permitted,
      reason,
    ]),
  );
  if (!admission.allowed) {
    yield `\ndenied in ${admission.stage}\n`;
    yield `${renderExplanation(explainDenial(admission.denial))}\n`;
    return;
  }
  yield "\nadmitted\n";
  const jobs = consequences?.jobs ?? [];
  if (jobs.length === 0) return;
  yield "\n";
  yield* tableLines(
    ["JOB", "WITHOUT THE EDIT", "WITH IT"],
    jobs.map(({ job, before, after }) => [job, before, after]),
  );
}

const MAX_VALUE = 60;

/** A value as JSON, cut where a table would no longer be one. */
function inShort(value: unknown): string | undefined {
  const text = JSON.stringify(value);
  return text === undefined || text.length <= MAX_VALUE ? text : `${text.slice(0, MAX_VALUE)}…`;
}
