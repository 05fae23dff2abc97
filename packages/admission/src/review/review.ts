import type { FieldError } from "@jobset-ts/api/errors";
import { stringifyJson } from "@jobset-ts/api/text";
import type { Snapshot } from "@jobset-ts/core";
import type { Denial } from "../denial/denial.ts";
import type { AdmissionContext, AdmissionDecision } from "../webhook-shape.ts";
import {
  type AdmissionRequest,
  notAReview,
  type ReadRequest,
  readRequest,
} from "./admission-request.ts";
import {
  type AdmissionReview,
  allowedReview,
  createDeniedReview,
  malformedReview,
} from "./admission-response.ts";
import { decide, explainDecision, type ReviewOptions, type WebhookDecision } from "./decide.ts";
import { createJsonPatch, type PatchOperation } from "./json-patch.ts";
import { redactDecision, redactErrors } from "./redacted-review.ts";

/** The AdmissionReview for the client, and its outcome for logs, metrics and explanations. */
export type ReviewResult = { readonly response: AdmissionReview } & ReviewOutcome;

/** The outcome of a review. */
export type ReviewOutcome =
  | {
      readonly outcome: "Allowed";
      /** The changes. Empty for a validating webhook. */
      readonly patch: readonly PatchOperation[];
      readonly decisions: readonly AdmissionDecision[];
    }
  | { readonly outcome: "Denied"; readonly denial: Denial }
  /** The request was malformed, or its object is not of the kind that it names. */
  | { readonly outcome: "Malformed"; readonly errors: readonly [FieldError, ...FieldError[]] };

/**
 * Responds to an AdmissionReview as JobSet's webhooks do.
 *
 * - `mutate` fills in a JobSet's defaults on CREATE, and sets a Pod's priority label, placement terms and node
 *   selector.
 * - `validate` checks a JobSet on CREATE and UPDATE, and a follower Pod on CREATE.
 *
 * Nothing else of the request matters: subresources are recognized by their kind, and a dry run is handled like any
 * other request. An unchanged object gets no patch. Malformed input is rejected with 400 and the name of the field.
 *
 * @param admissionReview - any JSON value
 * @param snapshot - what the cluster holds; `requirements` tells which part of it matters
 * @see controller-runtime `pkg/webhook/admission`
 * @example
 * import { createContext, createSnapshot } from "@jobset-ts/core";
 * const kind = { group: "jobset.x-k8s.io", version: "v1alpha2", kind: "JobSet" };
 * const request = { uid: "u-1", kind, operation: "CREATE", object: { spec: { network: {} } } };
 * const sent = { apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", request };
 * const reviewed = review(sent, createSnapshot([]), createContext({ now: 0 }), { stage: "mutate" });
 * const patch = reviewed.outcome === "Allowed" ? reviewed.patch : [];
 * patch.map(({ path }) => path).includes("/spec/network/enableDNSHostnames") // => true
 */
export function review(
  admissionReview: unknown,
  snapshot: Snapshot,
  context: AdmissionContext,
  options: ReviewOptions,
): ReviewResult {
  const read = readRequest(admissionReview, options);
  return read.ok
    ? reviewRequest(read.request, snapshot, context, options)
    : rejectReview(admissionReview, read, options);
}

/** The {@link review} of a parsed request. */
export function reviewRequest(
  request: AdmissionRequest,
  snapshot: Snapshot,
  context: AdmissionContext,
  options: ReviewOptions,
): ReviewResult {
  const decision = decide(request, snapshot, context, options);
  return createDecisionReview(decision, request, snapshot, context, options);
}

/** Returns the review with the decision of a webhook. */
export function createDecisionReview(
  decided: WebhookDecision,
  request: AdmissionRequest,
  snapshot: Snapshot,
  context: AdmissionContext,
  options: ReviewOptions,
): ReviewResult {
  const { uid } = request;
  const explain = (found: WebhookDecision, reviewed: AdmissionRequest) =>
    explainDecision(found, reviewed, context, options);
  const decision = options.redact
    ? redactDecision(decided, request, snapshot, (redacted, cluster) =>
        explain(decide(redacted, cluster, context, options), redacted),
      )
    : explain(decided, request);
  switch (decision.outcome) {
    case "Malformed":
      return createMalformedReview(uid, decision.errors, decision.omitted);
    case "Denied":
      return {
        response: createDeniedReview(uid, decision.explained ?? decision.denial),
        outcome: "Denied",
        denial: decision.denial,
      };
    case "Allowed": {
      const { object = request.object, decisions } = decision;
      const patch = createJsonPatch(request.object, object);
      const response = allowedReview(uid, patch);
      return { response, outcome: "Allowed", patch, decisions };
    }
  }
}

/**
 * The {@link review} from JSON text to JSON text.
 *
 * @param text - any text; text that is not JSON is rejected like any other review without a request
 * @example
 * import { createContext, createSnapshot } from "@jobset-ts/core";
 * const answer = reviewJson("{}", createSnapshot([]), createContext({ now: 0 }), { stage: "validate" });
 * JSON.parse(answer).response.status.code // => 400
 */
export function reviewJson(
  text: string,
  snapshot: Snapshot,
  context: AdmissionContext,
  options: ReviewOptions,
): string {
  const parsed = parseJson(text);
  const reviewed = parsed.ok
    ? review(parsed.value, snapshot, context, options)
    : createMalformedReview("", [parsed.error]);
  return stringifyJson(reviewed.response);
}

/** Rejects a review without a valid request. */
export function rejectReview(
  admissionReview: unknown,
  { uid, errors }: Extract<ReadRequest, { ok: false }>,
  options: ReviewOptions,
): ReviewResult {
  if (!options.redact) return createMalformedReview(uid, errors);
  const shown = redactErrors(admissionReview, errors, (redacted) => {
    const read = readRequest(redacted, options);
    return read.ok ? undefined : read.errors;
  });
  return createMalformedReview(uid, shown);
}

export function createMalformedReview(
  uid: string,
  errors: readonly [FieldError, ...FieldError[]],
  omitted = 0,
): ReviewResult {
  const response = malformedReview(uid, errors, omitted);
  return { response, outcome: "Malformed", errors };
}

/** Parses JSON text. Returns its value, or the error. */
export function parseJson(
  text: string,
):
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: FieldError } {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    // The runtime's message repeats a part of the text.
    return {
      ok: false,
      error: notAReview(text === "" ? "the text is empty" : "the text is not JSON"),
    };
  }
}
