import { admitJobSet } from "@jobset-ts/admission";
import { defaultJobSetRequest, type JobSet, type Unvalidated } from "@jobset-ts/api";
import type { Snapshot } from "@jobset-ts/core";
import type { InputObject } from "../input/objects.ts";
import type { Behavior } from "../jobset-version/behavior.ts";
import type { Diagnostic } from "../output/diagnostics.ts";
import { toDiagnostics } from "./denial-diagnostics.ts";
import { listOtherWarnings, validateFields } from "./field-validation.ts";
import { listGateHints } from "./gate-hints.ts";
import { reportRejectedJobs } from "./rejected-jobs.ts";
import { type CreateOptions, isStored, prepareCreate } from "./request-object.ts";

/** The result of sending a JobSet to a cluster. */
export interface CreationResult {
  /** The JobSet as the cluster stores it. Absent if it is denied. */
  readonly jobSet?: Unvalidated<JobSet>;
  /** The JobSet with defaults, if JobSet's validating webhook denies it. */
  readonly denied?: Unvalidated<JobSet>;
  /** The reasons for a denial, and warnings and notes. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Creates a JobSet as a cluster would. Applies defaults, then checks the CRD schema and the rules of JobSet's webhook.
 */
export function createJobSet(
  input: InputObject,
  creation: CreateOptions,
  snapshot: Snapshot,
  context: Behavior,
): CreationResult {
  const { diagnose } = input;
  const fields = validateFields(input, creation.validate ?? "warn", context);
  if (fields.denial !== undefined) {
    return { diagnostics: [...toDiagnostics(fields.denial, diagnose), ...fields.diagnostics] };
  }
  const request = { operation: "CREATE", object: prepareCreate(input, creation) } as const;
  const admission = admitJobSet(request, snapshot, context);
  const warnings = [
    ...fields.diagnostics,
    ...listOtherWarnings(admission.warnings, input, context),
  ];
  if (!admission.allowed) {
    const denials = toDiagnostics(admission.denial, diagnose);
    const hints = listGateHints(admission, request, snapshot, context, diagnose);
    const defaulted = defaultJobSetRequest(request.object);
    return {
      diagnostics: [...warnings, ...denials, ...hints],
      ...(admission.stage === "validate" && defaulted.allowed && { denied: defaulted.jobSet }),
    };
  }
  const { stored = {} } = admission;
  const rejected = isStored(input)
    ? []
    : reportRejectedJobs(stored, context.features, diagnose, "warning");
  return {
    jobSet: stored,
    diagnostics: [...warnings, ...rejected, ...noteGeneratedName(input, stored)],
  };
}

/** Reports the name that was generated for a JobSet with `generateName`. */
function noteGeneratedName(
  { value, diagnose }: InputObject,
  { metadata }: Unvalidated<JobSet>,
): readonly Diagnostic[] {
  const { name } = value.metadata as { readonly name?: unknown };
  if (name === metadata?.name) return [];
  const message = `the server appends five random characters to this name; shown as "${metadata?.name}"`;
  return [diagnose("metadata.generateName", message, "note")];
}
