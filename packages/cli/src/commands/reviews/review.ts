import {
  admitJobSet,
  admitPod,
  type Denial,
  type Explanation,
  explainDenial,
  type JobSetAdmissionResult,
} from "@jobset-ts/admission";
import { formatFieldError } from "@jobset-ts/api/errors";
import { decodeErrors } from "@jobset-ts/api/typed";
import type { Context, ObjectKey, Snapshot } from "@jobset-ts/core";
import {
  badRequestDenial,
  type FieldValidation,
  listOtherWarnings,
  validateFields,
} from "../../admission/field-validation.ts";
import { listGateHints } from "../../admission/gate-hints.ts";
import { prepareCreate, prepareUpdate } from "../../admission/request-object.ts";
import { getObjectKey } from "../../input/object-key.ts";
import type { InputObject } from "../../input/objects.ts";
import type { Diagnostic } from "../../output/diagnostics.ts";

/** What a cluster answers to a request about one object of a file. */
export interface Review {
  /** The name of an object that leaves its choice to the server is what it begins with. */
  readonly object: ObjectKey;
  readonly operation: "CREATE" | "UPDATE";
  /** Who decided: the schema, one of the webhooks that change objects, or one of those that check them. */
  readonly stage: "schema" | "default" | "mutate" | "validate";
  /** Present when the request is denied. */
  readonly denied?: { readonly denial: Denial; readonly explanation: Explanation };
  /** Further warnings and notes for the client. */
  readonly warnings: readonly Diagnostic[];
  readonly diagnose: InputObject["diagnose"];
}

/**
 * The way of a JobSet through the cluster.
 *
 * @param old - the JobSet as it is stored, when it is updated
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
  const fields = validateFields(input, validate);
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
  const told = [...fields.diagnostics, ...hints];
  return { ...getOutcome(answer, told, input), object: key, operation };
}

/** How requests are sent to the cluster. */
export interface ReviewOptions {
  readonly context: Context;
  /** What happens to unknown and duplicate fields. */
  readonly validate: FieldValidation;
}

function getOutcome(
  answer: JobSetAdmissionResult,
  told: readonly Diagnostic[],
  input: InputObject,
): Pick<Review, "stage" | "denied" | "warnings" | "diagnose"> {
  const { diagnose } = input;
  const warnings = [...told, ...listOtherWarnings(answer.warnings, input)];
  return answer.allowed
    ? { stage: "validate", warnings, diagnose }
    : { stage: answer.stage, denied: explainDenied(answer.denial), warnings, diagnose };
}

/** The way of a new Pod through the cluster. */
export function reviewPod(
  input: InputObject,
  snapshot: Snapshot,
  { context, validate }: ReviewOptions,
): Review {
  const key = getObjectKey(input);
  const fields = validateFields(input, validate);
  const review = {
    object: key,
    operation: "CREATE",
    warnings: fields.diagnostics,
    diagnose: input.diagnose,
  } as const;
  const unreadable = fields.denial ?? undecodableDenial(input, key);
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

/** The API server reads a Pod before it asks any webhook; what it cannot read, it answers with 400. */
function undecodableDenial({ value }: InputObject, object: ObjectKey): Denial | undefined {
  const { told, omitted } = decodeErrors(value, "Pod");
  const [first] = told;
  return first && badRequestDenial(object, formatFieldError(first), told, omitted);
}

function explainDenied(denial: Denial): Review["denied"] {
  return { denial, explanation: explainDenial(denial) };
}
