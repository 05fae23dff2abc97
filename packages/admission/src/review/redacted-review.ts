import { type FieldError, NO_FIELD } from "@jobset-ts/api/errors";
import { isObject } from "@jobset-ts/api/kubernetes";
import { createRedactor, type Redactor } from "@jobset-ts/api/redaction";
import type { Snapshot } from "@jobset-ts/core";
import type { AdmissionRequest } from "./admission-request.ts";
import type { WebhookDecision } from "./decide.ts";
import { RedactedSnapshot } from "./redacted-snapshot.ts";

/** Replaces the reason of a denial that cannot be stated without values of the object. */
const WITHHELD_VALUE_TEXT =
  "the request is denied, and the reason is withheld because it may contain values of the object";

/**
 * Returns the same denial without values that may be secret: the webhook runs again with a redacted request and
 * cluster. The original decision does not change.
 *
 * @param decided - the decision about the real values; returned unchanged if the request is allowed
 * @param decide - the webhook
 */
export function redactDecision(
  decided: WebhookDecision,
  request: AdmissionRequest,
  snapshot: Snapshot,
  decide: (request: AdmissionRequest, snapshot: Snapshot) => WebhookDecision,
): WebhookDecision {
  if (decided.outcome === "Allowed") return decided;
  const redactor = createRedactor();
  const redacted = redactRequest(request, redactor) as AdmissionRequest;
  const second = decide(redacted, new RedactedSnapshot(snapshot, redactor));
  if (decided.outcome === "Denied") {
    const { status } = decided.denial;
    const isSame =
      second.outcome === "Denied" &&
      second.denial.status.code === status.code &&
      second.denial.status.reason === status.reason;
    if (isSame) return second;
    const { status: word, reason, code } = status;
    const denial = {
      status: {
        ...(word && { status: word }),
        message: WITHHELD_VALUE_TEXT,
        ...(reason && { reason }),
        code,
      },
      roots: [],
      symptoms: [],
      unknown: [],
      transient: decided.denial.transient,
    };
    return { outcome: "Denied", denial };
  }
  return second.outcome === "Malformed"
    ? second
    : { outcome: "Malformed", errors: withoutValues(decided.errors), omitted: decided.omitted };
}

/** Returns the errors of a review that cannot be read, without values that may be secret. */
export function redactErrors(
  review: unknown,
  errors: readonly [FieldError, ...FieldError[]],
  errorsOf: (review: unknown) => readonly [FieldError, ...FieldError[]] | undefined,
): readonly [FieldError, ...FieldError[]] {
  return errorsOf(redactReview(review, createRedactor())) ?? withoutValues(errors);
}

/**
 * Returns a request with redacted objects. Text in the position of an object is redacted as a
 * whole.
 */
export function redactRequest(request: unknown, redactor: Redactor): unknown {
  if (!isObject(request)) return redactor.redactValue(request);
  const redacted = redactor.redactMessages(redactor.redactObject(request));
  const texts = Object.entries(redacted)
    .filter(([name, member]) => objects.has(name) && !isObject(member))
    .map(([name, member]) => [name, redactor.redactValue(member)]);
  return texts.length === 0 ? redacted : { ...redacted, ...Object.fromEntries(texts) };
}

const objects: ReadonlySet<string> = /* @__PURE__ */ new Set(["object", "oldObject", "options"]);

function redactReview(review: unknown, redactor: Redactor): unknown {
  if (!isObject(review)) return redactor.redactValue(review);
  return Object.hasOwn(review, "request")
    ? { ...review, request: redactRequest(review.request, redactor) }
    : review;
}

function withoutValues([{ type }]: readonly [FieldError, ...FieldError[]]): readonly [FieldError] {
  return [{ type, field: NO_FIELD, body: WITHHELD_VALUE_TEXT }];
}
