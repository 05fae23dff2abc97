import { admitJobSet } from "@jobset-ts/admission";
import type { JobSet, Unvalidated } from "@jobset-ts/api";
import type { Context, Snapshot } from "@jobset-ts/core";
import type { InputObject } from "../input/objects.ts";
import type { Diagnostic } from "../output/diagnostics.ts";
import { denialDiagnostics } from "./denial-diagnostics.ts";
import { otherWarnings, readFields } from "./field-validation.ts";
import { gateHints } from "./gate-hints.ts";
import { type Creation, newObject } from "./new-object.ts";

/** The result of sending a JobSet to a cluster. */
export interface CreatedJobSet {
  /** As the cluster stores it; absent when it was refused. */
  readonly jobSet?: Unvalidated<JobSet>;
  /** Why it was refused, or what is worth knowing although it was not. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Creates a JobSet as a cluster would: defaulted, checked against the CRD, and by JobSet's webhook. */
export function createdJobSet(
  input: InputObject,
  creation: Creation,
  snapshot: Snapshot,
  context: Pick<Context, "features" | "quirks">,
): CreatedJobSet {
  const { diagnose } = input;
  const fields = readFields(input, creation.validate ?? "warn");
  if (fields.denial !== undefined) {
    return { diagnostics: [...denialDiagnostics(fields.denial, diagnose), ...fields.diagnostics] };
  }
  const request = { operation: "CREATE", object: newObject(input, creation) } as const;
  const admission = admitJobSet(request, snapshot, context);
  const warnings = [...fields.diagnostics, ...otherWarnings(admission.warnings, input)];
  if (!admission.allowed) {
    const refusals = denialDiagnostics(admission.denial, diagnose);
    const hints = gateHints(admission, request, snapshot, context, diagnose);
    return { diagnostics: [...warnings, ...refusals, ...hints] };
  }
  const { stored = {} } = admission;
  return { jobSet: stored, diagnostics: [...warnings, ...generatedName(input, stored)] };
}

/** Says which name was made up for a JobSet that leaves its choice to the server. */
function generatedName(
  { value, diagnose }: InputObject,
  { metadata }: Unvalidated<JobSet>,
): readonly Diagnostic[] {
  const { name } = value.metadata as { readonly name?: unknown };
  if (name === metadata?.name) return [];
  const message = `a server completes this name with five random characters; shown as "${metadata?.name}"`;
  return [diagnose("metadata.generateName", message, "note")];
}
