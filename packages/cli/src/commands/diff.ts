import { type Denial, explainDenial } from "@jobset-ts/admission";
import { previewUpdate, type UpdatePreview } from "@jobset-ts/admission/preview";
import { defaultJobSetRequest } from "@jobset-ts/api";
import { createRedactor } from "@jobset-ts/api/redaction";
import type { Snapshot } from "@jobset-ts/core";
import { createJobSet } from "../admission/create-jobset.ts";
import { toDiagnostics } from "../admission/denial-diagnostics.ts";
import { listOtherWarnings, validateFields } from "../admission/field-validation.ts";
import { listGateHints } from "../admission/gate-hints.ts";
import { isStored, prepareCreate, prepareUpdate } from "../admission/request-object.ts";
import { type InputOptions, readCluster, readInput } from "../input/cluster.ts";
import { rejectOtherNamespaces } from "../input/namespace.ts";
import type { InputObject } from "../input/objects.ts";
import type { Files, FilesAndClock } from "../input/sources.ts";
import { detectVersion } from "../jobset-version/detect-version.ts";
import { chooseVersion } from "../jobset-version/read-version.ts";
import type { CommandResult } from "../output/command-result.ts";
import type { Diagnostic } from "../output/diagnostics.ts";
import { truncate } from "../output/escape.ts";
import { foldRows } from "../output/fold-rows.ts";
import { createErrorReport, formatReport } from "../output/report.ts";
import { type Cell, formatTable } from "../output/table.ts";
import { createPassContext, type PassOptions } from "./cluster/pass-context.ts";
import { formatChain, isFieldsError } from "./reviews/denial-lines.ts";
import type { ReviewOptions } from "./reviews/review.ts";
import type { AdmitOptions } from "./reviews/review-objects.ts";

/** The options of `diff`. */
export type DiffOptions = PassOptions & InputOptions & Pick<AdmitOptions, "cluster" | "validate">;

/** Prints the changes of an edit, whether the webhook admits it, and the next actions of the controller. */
export async function diff(
  [oldFile, newFile]: readonly [string, string],
  options: DiffOptions,
  files: FilesAndClock,
): Promise<CommandResult> {
  const inputOptions = { ...options, redactor: createRedactor() };
  const old = await readOneJobSet(oldFile, inputOptions, files);
  const next = await readOneJobSet(newFile, inputOptions, files);
  const {
    snapshot,
    objects,
    diagnostics: unread,
  } = await readCluster(options.cluster ?? [], files, inputOptions);
  if (old.jobSet === undefined || next.jobSet === undefined || snapshot === undefined) {
    const diagnostics = [...old.diagnostics, ...next.diagnostics, ...unread];
    return createErrorReport(diagnostics, options.output);
  }
  const foreign = rejectOtherNamespaces([old.jobSet, next.jobSet], options.namespace);
  if (foreign.length > 0) {
    return createErrorReport(foreign, options.output, 1);
  }
  const { notes, ...version } = await chooseVersion(options, () => detectVersion(objects));
  const context = createPassContext({ ...options, ...version }, files);
  const edit = createEdit(old.jobSet, next.jobSet, snapshot, {
    context,
    validate: options.validate,
  });
  if (edit.old === undefined) {
    return createErrorReport(edit.diagnostics, options.output, 1);
  }

  const fields = validateFields(next.jobSet, options.validate, context);
  const { diagnose } = next.jobSet;
  const preview = withDenial(
    previewUpdate({ oldObject: edit.old, object: edit.object }, snapshot, context),
    fields.denial,
  );
  const { admission, changes } = preview;
  const request = { operation: "UPDATE", oldObject: edit.old, object: edit.object } as const;
  const hints = listGateHints(admission, request, snapshot, context, diagnose);
  const warnings = [
    ...fields.diagnostics,
    ...listOtherWarnings(admission.warnings, next.jobSet, context),
  ];
  const denials = admission.allowed ? [] : toDiagnostics(admission.denial, diagnose);
  const report = {
    items: [preview],
    table: formatTables(preview),
    diagnostics: [...notes, ...edit.diagnostics, ...warnings, ...denials, ...hints],
    exitCode: changes.length === 0 && admission.allowed ? 0 : 1,
  } as const;
  return formatReport(report, options.output);
}

interface Preview extends Omit<UpdatePreview, "admission"> {
  readonly admission:
    | UpdatePreview["admission"]
    | (Pick<UpdatePreview["admission"], "warnings" | "decisions"> & {
        readonly allowed: false;
        readonly stage: "schema";
        readonly denial: Denial;
      });
}

/** Returns the preview of an edit that the API server rejects before it calls a webhook. */
function withDenial(preview: UpdatePreview, denial: Denial | undefined): Preview {
  if (denial === undefined) return preview;
  const { changes } = preview;
  const admission = {
    allowed: false,
    stage: "schema",
    denial,
    warnings: [],
    decisions: [],
  } as const;
  return { changes, admission };
}

async function readOneJobSet(
  file: string,
  options: InputOptions,
  files: Files,
): Promise<{ readonly jobSet?: InputObject; readonly diagnostics: readonly Diagnostic[] }> {
  const { jobSets, diagnostics } = await readInput([file], files, options);
  if (diagnostics.length > 0) return { diagnostics };
  const [jobSet, ...others] = jobSets;
  if (jobSet !== undefined && others.length === 0) return { jobSet, diagnostics };
  const message = `expected one JobSet, found ${jobSets.length}`;
  return { diagnostics: [{ severity: "error", file: file === "-" ? "<stdin>" : file, message }] };
}

/** The stored JobSet and its replacement. The stored one is absent if no cluster would admit it. */
interface Edit {
  readonly old?: object;
  readonly object: object;
  readonly diagnostics: readonly Diagnostic[];
}

/** Without a stored JobSet, both files are manifests without the webhook's defaults. */
function createEdit(
  old: InputObject,
  next: InputObject,
  snapshot: Snapshot,
  { context, validate }: ReviewOptions,
): Edit {
  if (isStored(old)) {
    const stored = prepareCreate(old, {});
    return { old: stored, object: prepareUpdate(next, stored), diagnostics: [] };
  }
  // The request sends the new JobSet, so only that one is validated strictly.
  const lenient = { validate: validate === "strict" ? "warn" : validate } as const;
  const { jobSet, diagnostics } = createJobSet(old, lenient, snapshot, context);
  if (jobSet === undefined) return { object: next.value, diagnostics };
  const object = prepareUpdate(next, { ...jobSet });
  const defaulted = defaultJobSetRequest(object);
  return { old: jobSet, object: defaulted.allowed ? defaulted.jobSet : object, diagnostics };
}

function* formatTables({
  changes,
  admission,
  impact,
}: Preview): Generator<string, void, undefined> {
  yield* formatTable(
    ["FIELD", "FROM", "TO", "MUTABILITY", "PERMITTED", "WHY"],
    changes.map(({ path, from, to, mutability, permitted, reason }): readonly Cell[] => [
      path,
      truncateJson(from),
      truncateJson(to),
      mutability,
      permitted,
      reason,
    ]),
  );
  if (!admission.allowed) {
    yield `\ndenied in ${admission.stage}\n`;
    if (isFieldsError(admission.denial)) return;
    for (const line of formatChain(explainDenial(admission.denial), admission.denial))
      yield `  ${line}\n`;
    return;
  }
  yield changes.length === 0 ? "nothing changes\n" : "\nadmitted\n";
  const jobs = impact?.jobs ?? [];
  if (jobs.length === 0) return;
  yield "\n";
  yield* formatTable(
    ["JOB", "WITHOUT THE EDIT", "WITH THE EDIT"],
    foldRows(jobs.map(({ job, before, after }) => [job, before, after])),
  );
}

const MAX_VALUE = 60;

/** Returns a value as JSON, truncated to fit into a table. */
function truncateJson(value: unknown): string | undefined {
  const text = JSON.stringify(value);
  return text === undefined ? undefined : truncate(text, MAX_VALUE);
}
