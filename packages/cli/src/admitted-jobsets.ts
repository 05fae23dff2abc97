import type { JobSet, Observed } from "@jobset-ts/api";
import { NO_QUIRKS, snapshotOf } from "@jobset-ts/core";
import { createdJobSet } from "./created-jobset.ts";
import type { Diagnostic } from "./diagnostics.ts";
import { type InputObject, readObjects } from "./input/objects.ts";
import { type Files, readSources, type Source } from "./input/sources.ts";
import { isStored } from "./new-object.ts";
import type { JobSetOptions } from "./options.ts";

/** A JobSet as a cluster stores it on creation, and the file it comes from. */
export interface AdmittedJobSet {
  readonly jobSet: Observed<JobSet>;
  /** Whether its UID is one that a server gave it, or that was asked for, and not made up by us. */
  readonly hasUid: boolean;
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
  const context = { features: options.featureGates, quirks: NO_QUIRKS };
  const outcomes = found.jobSets.map((input) => ({
    ...createdJobSet(input, options, emptyCluster, context),
    hasUid: options.uid !== undefined || isStored(input),
    diagnose: input.diagnose,
  }));
  const diagnostics = outcomes.flatMap((outcome) => outcome.diagnostics);
  const jobSets = outcomes.flatMap(({ jobSet, hasUid, diagnose }) =>
    jobSet ? [{ jobSet, hasUid, diagnose }] : [],
  );
  return jobSets.length === outcomes.length
    ? { jobSets, diagnostics, exitCode: 0 }
    : { jobSets: [], diagnostics, exitCode: 1 };
}

/** Nothing is there that could be in a new JobSet's way. */
const emptyCluster = snapshotOf([], { kinds: ["PersistentVolumeClaim"] });

function noJobSet(sources: readonly Source[], others: readonly InputObject[]): Diagnostic {
  const found = [...new Set(others.map(({ value }) => String(value.kind)))].join(", ");
  return {
    severity: "error",
    ...(sources.length === 1 && { file: sources[0]?.name }),
    message: `no JobSet found${found === "" ? "" : `, only ${found}`}`,
  };
}
