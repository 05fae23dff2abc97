import { admitJobSet } from "@jobset-ts/admission";
import type { JobSet, Observed } from "@jobset-ts/api";
import { NO_QUIRKS, snapshotOf } from "@jobset-ts/core";
import { denialDiagnostics } from "./denial-diagnostics.ts";
import type { Diagnostic } from "./diagnostics.ts";
import { type InputObject, readObjects } from "./input/objects.ts";
import { type Files, readSources, type Source } from "./input/sources.ts";
import { newObject } from "./new-object.ts";
import type { JobSetOptions } from "./options.ts";

/** A JobSet as a cluster stores it on creation, and the file it comes from. */
export interface AdmittedJobSet {
  readonly jobSet: Observed<JobSet>;
  readonly diagnose: InputObject["diagnose"];
}

/** All JobSets of the files, or why not. */
export interface Admitted {
  /** Empty unless all of them were admitted: half an answer is easily taken for a whole one. */
  readonly jobSets: readonly AdmittedJobSet[];
  readonly diagnostics: readonly Diagnostic[];
  /** 0, 1 when a JobSet was refused, 2 when the files could not be read or hold none. */
  readonly exitCode: 0 | 1 | 2;
}

/** Reads the files and creates the JobSets in them as a cluster would. Other objects are passed over. */
export async function admittedJobSets(options: JobSetOptions, files: Files): Promise<Admitted> {
  const { sources, diagnostics: unreadable } = await readSources(options.filename, files);
  const found = readObjects(sources);
  const problems = [...unreadable, ...found.diagnostics];
  if (problems.length > 0) return { jobSets: [], diagnostics: problems, exitCode: 2 };
  if (found.jobSets.length === 0) {
    return { jobSets: [], diagnostics: [noJobSet(sources, found.others)], exitCode: 2 };
  }
  const outcomes = found.jobSets.map((input) => admitted(input, options));
  const diagnostics = outcomes.flatMap((outcome) => outcome.diagnostics);
  const jobSets = outcomes.flatMap((outcome) => outcome.jobSet ?? []);
  return jobSets.length === outcomes.length
    ? { jobSets, diagnostics, exitCode: 0 }
    : { jobSets: [], diagnostics, exitCode: 1 };
}

/** Nothing is there that could be in a new JobSet's way. */
const emptyCluster = snapshotOf([], { kinds: ["PersistentVolumeClaim"] });

/** One JobSet; absent when it was refused. */
function admitted(
  input: InputObject,
  options: JobSetOptions,
): { readonly jobSet?: AdmittedJobSet; readonly diagnostics: readonly Diagnostic[] } {
  const { diagnose } = input;
  const created = newObject(input, options);
  if (created.refusal !== undefined) return { diagnostics: [created.refusal] };
  const context = { features: options.featureGates, quirks: NO_QUIRKS };
  const request = { operation: "CREATE", object: created.object } as const;
  const admission = admitJobSet(request, emptyCluster, context);
  const warnings = admission.warnings.map(({ field, message }) =>
    diagnose(field, message, "warning"),
  );
  const denials = admission.allowed ? [] : denialDiagnostics(admission.denial, diagnose);
  const jobSet = admission.allowed ? admission.stored : undefined;
  if (jobSet === undefined) {
    return { diagnostics: [...warnings, ...denials] };
  }
  return {
    jobSet: { jobSet, diagnose },
    diagnostics: [...warnings, ...generatedName(input, jobSet)],
  };
}

function noJobSet(sources: readonly Source[], others: readonly InputObject[]): Diagnostic {
  const found = [...new Set(others.map(({ value }) => String(value.kind)))].join(", ");
  return {
    severity: "error",
    ...(sources.length === 1 && { file: sources[0]?.name }),
    message: `no JobSet found${found === "" ? "" : `, only ${found}`}`,
  };
}

/** Says which name was made up for a JobSet that leaves its choice to the server. */
function generatedName(
  { value, diagnose }: InputObject,
  { metadata }: Observed<JobSet>,
): readonly Diagnostic[] {
  const { name } = value.metadata as { readonly name?: unknown };
  if (name === metadata?.name) return [];
  const message = `a server completes this name with five random characters; shown as "${metadata?.name}"`;
  return [diagnose("metadata.generateName", message, "note")];
}
