import {
  admitJobSet,
  admitPod,
  type Denial,
  type Explanation,
  explainDenial,
  type JobSetAdmissionResult,
} from "@jobset-ts/admission";
import { defaultJobSet } from "@jobset-ts/api";
import { formatFieldError } from "@jobset-ts/api/errors";
import { decodeErrors } from "@jobset-ts/api/typed";
import type { ObjectKey, Snapshot } from "@jobset-ts/core";
import {
  createBadRequestDenial,
  type FieldValidation,
  listOtherWarnings,
  validateFields,
} from "../../admission/field-validation.ts";
import { listGateHints } from "../../admission/gate-hints.ts";
import { reportRejectedJobs } from "../../admission/rejected-jobs.ts";
import { prepareCreate, prepareUpdate } from "../../admission/request-object.ts";
import { getObjectKey } from "../../input/object-key.ts";
import type { InputObject } from "../../input/objects.ts";
import type { Diagnostic } from "../../output/diagnostics.ts";
import type { PassContext } from "../cluster/pass-context.ts";

/** The response of a cluster to a request about one object of a file. */
export interface Review {
  /** For an object without a name, the name is its `generateName` prefix. */
  readonly object: ObjectKey;
  readonly operation: "CREATE" | "UPDATE";
  /** The component that decided: the schema, defaulting, a mutating webhook or a validating webhook. */
  readonly stage: "schema" | "default" | "mutate" | "validate";
  /** Present when the request is denied. */
  readonly denied?: { readonly denial: Denial; readonly explanation: Explanation };
  /** Further warnings and notes for the client. */
  readonly warnings: readonly Diagnostic[];
  readonly diagnose: InputObject["diagnose"];
}

/**
 * Simulates the admission of a JobSet.
 *
 * @param old - the stored JobSet, for an update
 */
export function reviewJobSet(
  input: InputObject,
  old: InputObject | undefined,
  snapshot: Snapshot,
  { context, validate }: ReviewOptions,
): Review {
  const stored = old && prepareCreate(old, {});
  const operation = stored === undefined ? "CREATE" : "UPDATE";
  const key = getObjectKey(input);
  const fields = validateFields(input, validate, context);
  if (fields.denial !== undefined) {
    const { denial, diagnostics: warnings } = fields;
    const { diagnose } = input;
    return {
      object: key,
      operation,
      stage: "schema",
      denied: explainDenied(denial),
      warnings,
      diagnose,
    };
  }
  const object = stored === undefined ? prepareCreate(input, {}) : prepareUpdate(input, stored);
  const request = { operation, object, oldObject: stored } as const;
  const answer = admitJobSet(request, snapshot, context);
  const hints = listGateHints(answer, request, snapshot, context, input.diagnose);
  // The webhook sets defaults only on creation, so the manifest of --old may lack them.
  const rejected = answer.allowed
    ? reportRejectedJobs(
        defaultJobSet(answer.stored ?? {}),
        context.features,
        input.diagnose,
        "warning",
      )
    : [];
  const notes = [...fields.diagnostics, ...hints, ...rejected];
  return { ...getOutcome(answer, notes, input, context), object: key, operation };
}

/** The options of requests to the cluster. */
export interface ReviewOptions {
  readonly context: PassContext;
  /** How the server treats unknown and duplicate fields. */
  readonly validate: FieldValidation;
}

function getOutcome(
  answer: JobSetAdmissionResult,
  notes: readonly Diagnostic[],
  input: InputObject,
  context: PassContext,
): Pick<Review, "stage" | "denied" | "warnings" | "diagnose"> {
  const { diagnose } = input;
  const warnings = [...notes, ...listOtherWarnings(answer.warnings, input, context)];
  return answer.allowed
    ? { stage: "validate", warnings, diagnose }
    : { stage: answer.stage, denied: explainDenied(answer.denial), warnings, diagnose };
}

/** Simulates the admission of a new Pod. */
export function reviewPod(
  input: InputObject,
  snapshot: Snapshot,
  { context, validate }: ReviewOptions,
): Review {
  const key = getObjectKey(input);
  const fields = validateFields(input, validate, context);
  const review = {
    object: key,
    operation: "CREATE",
    warnings: fields.diagnostics,
    diagnose: input.diagnose,
  } as const;
  const unreadable = fields.denial ?? checkDecodable(input, key);
  if (unreadable !== undefined) {
    return { ...review, stage: "schema", denied: explainDenied(unreadable) };
  }
  const metadata = { ...(input.value.metadata ?? {}), namespace: key.namespace };
  const request = { operation: "CREATE", object: { ...input.value, metadata } } as const;
  const answer = admitPod(request, snapshot, context);
  return answer.allowed
    ? { ...review, stage: "validate" }
    : { ...review, stage: answer.stage, denied: explainDenied(answer.denial) };
}

/** The API server decodes a Pod before it calls a webhook. It responds with 400 if it cannot. */
function checkDecodable({ value }: InputObject, object: ObjectKey): Denial | undefined {
  const { errors, omitted } = decodeErrors(value, "Pod");
  const [first] = errors;
  return first && createBadRequestDenial(object, formatFieldError(first), errors, omitted);
}

function explainDenied(denial: Denial): Review["denied"] {
  return { denial, explanation: explainDenial(denial) };
}
