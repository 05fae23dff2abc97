import type { FeatureGates, JobSet, Unvalidated } from "@jobset-ts/api";
import { createRedactor } from "@jobset-ts/api/redaction";
import { createSnapshot, NO_QUIRKS, type ObjectKey, type Quirks } from "@jobset-ts/core";
import { type FileInput, type FileOptions, readInput, redactInputs } from "../input/cluster.ts";
import { rejectOtherNamespaces } from "../input/namespace.ts";
import { getObjectKey } from "../input/object-key.ts";
import type { InputObject } from "../input/objects.ts";
import type { Files } from "../input/sources.ts";
import type { Diagnostic } from "../output/diagnostics.ts";
import type { Output } from "../output/report.ts";
import { createJobSet } from "./create-jobset.ts";
import type { FieldValidation } from "./field-validation.ts";
import { type CreateOptions, isStored } from "./request-object.ts";

/** The options of `render`. */
export interface JobSetOptions extends FileOptions, CreateOptions {
  readonly output: Output;
  readonly featureGates: FeatureGates;
  readonly validate: FieldValidation;
}

/** A JobSet as a cluster stores it on creation, and the file it comes from. */
export interface AdmittedJobSet {
  readonly jobSet: Unvalidated<JobSet>;
  /** Whether its UID comes from a server or from the command line, rather than being generated here. */
  readonly hasUid: boolean;
  readonly diagnose: InputObject["diagnose"];
}

/** All JobSets of the files, or why not. */
export interface AdmittedJobSets {
  /** Empty unless all of them were admitted: half an answer is easily taken for a whole one. */
  readonly jobSets: readonly AdmittedJobSet[];
  /** All that the files hold, be they asked about or not. */
  readonly found: readonly ObjectKey[];
  readonly diagnostics: readonly Diagnostic[];
  /** 0, 1 when a JobSet was refused, 2 when the files could not be read or hold none. */
  readonly exitCode: 0 | 1 | 2;
}

/**
 * Reads the files and creates the JobSets in them as a cluster would. Other objects are passed over.
 *
 * @param isAsked - which of the JobSets; the others are passed over, too
 * @param keepsValues - whether the JobSets keep values that may be secret; the diagnostics never do
 * @param quirks - the defects of upstream's that admission has, too
 */
export async function admitJobSets(
  options: JobSetOptions,
  files: Files,
  {
    isAsked = () => true,
    keepsValues = false,
    quirks = NO_QUIRKS,
  }: { isAsked?(input: InputObject): boolean; keepsValues?: boolean; quirks?: Quirks } = {},
): Promise<AdmittedJobSets> {
  const redactor = createRedactor();
  const reading = { ...options, ...(!keepsValues && { redactor }) };
  const found = await readInput(options.filename, files, reading);
  if (found.diagnostics.length > 0) return createFailure(2, found.diagnostics);
  if (found.jobSets.length === 0) return createFailure(2, [reportNoJobSet(found)]);
  const asked = found.jobSets.filter(isAsked);
  const foreign = rejectOtherNamespaces(asked, options.namespace);
  if (foreign.length > 0) return createFailure(1, foreign);
  const context = { features: options.featureGates, quirks };
  const created = (input: InputObject) => createJobSet(input, options, emptyCluster, context);
  const told = keepsValues ? redactInputs(asked, redactor) : asked;
  const outcomes = asked.map((input, index) => ({
    jobSet: created(input).jobSet,
    diagnostics: created(told[index] ?? input).diagnostics,
    hasUid: options.uid !== undefined || isStored(input),
    diagnose: input.diagnose,
  }));
  const diagnostics = outcomes.flatMap((outcome) => outcome.diagnostics);
  const jobSets = outcomes.flatMap(({ jobSet, hasUid, diagnose }) =>
    jobSet ? [{ jobSet, hasUid, diagnose }] : [],
  );
  return jobSets.length === outcomes.length
    ? { jobSets, found: found.jobSets.map(getObjectKey), diagnostics, exitCode: 0 }
    : createFailure(1, diagnostics);
}

function createFailure(exitCode: 1 | 2, diagnostics: readonly Diagnostic[]): AdmittedJobSets {
  return { jobSets: [], found: [], diagnostics, exitCode };
}

/** Nothing is there that could be in a new JobSet's way. */
const emptyCluster = createSnapshot([], { kinds: ["PersistentVolumeClaim"] });

/** That files hold no JobSet, and what they hold instead. */
export function reportNoJobSet({ files, others }: FileInput): Diagnostic {
  const kinds = [...new Set(others.map(({ value }) => String(value.kind)))].join(", ");
  return {
    severity: "error",
    ...(files.length === 1 && { file: files[0] }),
    message: `no JobSet found${kinds === "" ? "" : `, only ${kinds}`}`,
  };
}
