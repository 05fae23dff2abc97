import type { JobSet, Unvalidated } from "@jobset-ts/api";
import { createRedactor } from "@jobset-ts/api/redaction";
import { createSnapshot, type ObjectKey } from "@jobset-ts/core";
import { type FileOptions, readInput, redactInputs, reportNoJobSet } from "../input/cluster.ts";
import { rejectOtherNamespaces } from "../input/namespace.ts";
import { getObjectKey } from "../input/object-key.ts";
import type { InputObject } from "../input/objects.ts";
import type { Files } from "../input/sources.ts";
import { type BehaviorOptions, resolveBehavior } from "../jobset-version/behavior.ts";
import type { Diagnostic } from "../output/diagnostics.ts";
import type { Output } from "../output/report.ts";
import { createJobSet } from "./create-jobset.ts";
import type { FieldValidation } from "./field-validation.ts";
import { type CreateOptions, isStored } from "./request-object.ts";

/** The options of `render`, and of other commands about JobSets in files. */
export interface JobSetOptions extends FileOptions, CreateOptions, BehaviorOptions {
  readonly output: Output;
  readonly validate: FieldValidation;
}

/** A JobSet as a cluster stores it on creation, with the file that it comes from. */
export interface AdmittedJobSet {
  readonly jobSet: Unvalidated<JobSet>;
  /** Whether a server or the command line set its UID. Otherwise the UID is generated here. */
  readonly hasUid: boolean;
  readonly diagnose: InputObject["diagnose"];
}

/** The JobSets of the files, or the reasons why they cannot be admitted. */
export interface AdmittedJobSets {
  /** Empty unless every JobSet is admitted, because users easily mistake a partial result for a complete one. */
  readonly jobSets: readonly AdmittedJobSet[];
  /** All JobSets in the files, including those that the command does not select. */
  readonly found: readonly ObjectKey[];
  readonly diagnostics: readonly Diagnostic[];
  /** 0 if all are admitted, 1 if a JobSet is denied, 2 if the files cannot be read or contain no JobSet. */
  readonly exitCode: 0 | 1 | 2;
}

/**
 * Reads the files and creates the JobSets in them as a cluster would. Other objects are ignored.
 *
 * @param isRequested - selects JobSets; the others are ignored
 * @param keepsValues - whether the JobSets keep values that may be secret; diagnostics never contain them
 * @param keepsDenied - whether JobSets that JobSet's webhook denies are also returned, with exit code 1
 */
export async function admitJobSets(
  options: JobSetOptions,
  files: Files,
  {
    isRequested = () => true,
    keepsValues = false,
    keepsDenied = false,
  }: {
    isRequested?(input: InputObject): boolean;
    keepsValues?: boolean;
    keepsDenied?: boolean;
  } = {},
): Promise<AdmittedJobSets> {
  const redactor = createRedactor();
  const inputOptions = { ...options, ...(!keepsValues && { redactor }) };
  const found = await readInput(options.filename, files, inputOptions);
  if (found.diagnostics.length > 0) return createFailure(2, found.diagnostics);
  if (found.jobSets.length === 0) return createFailure(2, [reportNoJobSet(found)]);
  const selected = found.jobSets.filter(isRequested);
  const foreign = rejectOtherNamespaces(selected, options.namespace);
  if (foreign.length > 0) return createFailure(1, foreign);
  const context = resolveBehavior(options);
  const create = (input: InputObject) => createJobSet(input, options, emptyCluster, context);
  const redacted = keepsValues ? redactInputs(selected, redactor) : selected;
  const outcomes = selected.map((input, index) => {
    const { jobSet, denied, diagnostics } = create(input);
    const { [index]: shown = input } = redacted;
    return {
      jobSet: jobSet ?? (keepsDenied ? denied : undefined),
      isDenied: jobSet === undefined,
      diagnostics: shown === input ? diagnostics : create(shown).diagnostics,
      hasUid: options.uid !== undefined || isStored(input),
      diagnose: input.diagnose,
    };
  });
  const diagnostics = outcomes.flatMap((outcome) => outcome.diagnostics);
  const jobSets = outcomes.flatMap(({ jobSet, hasUid, diagnose }) =>
    jobSet ? [{ jobSet, hasUid, diagnose }] : [],
  );
  return jobSets.length === outcomes.length
    ? {
        jobSets,
        found: found.jobSets.map(getObjectKey),
        diagnostics,
        exitCode: outcomes.some(({ isDenied }) => isDenied) ? 1 : 0,
      }
    : createFailure(1, diagnostics);
}

function createFailure(exitCode: 1 | 2, diagnostics: readonly Diagnostic[]): AdmittedJobSets {
  return { jobSets: [], found: [], diagnostics, exitCode };
}

/** No existing object conflicts with a new JobSet. */
const emptyCluster = createSnapshot([], { kinds: ["PersistentVolumeClaim"] });
