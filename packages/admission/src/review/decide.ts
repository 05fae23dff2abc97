import { type FieldError, truncateErrors } from "@jobset-ts/api/errors";
import { decodeErrors } from "@jobset-ts/api/typed";
import type { Snapshot } from "@jobset-ts/core";
import type { Denial } from "../denial/denial.ts";
import { mutateJobSet } from "../jobset/mutate-jobset.ts";
import { validateJobSet } from "../jobset/validate-jobset.ts";
import { mutatePod } from "../pod/mutate-pod.ts";
import { validatePod } from "../pod/validate-pod.ts";
import type {
  AdmissionContext,
  AdmissionDecision,
  MutationResult,
  ValidationResult,
  WebhookFunction,
  WebhookOptions,
} from "../webhook-shape.ts";
import type { AdmissionRequest } from "./admission-request.ts";
import { type ExplainedDenial, explainedDenial } from "./explained-denial.ts";
import type { ReviewedKind, Stage } from "./webhooks.ts";

/** The options for running a webhook and for its responses. */
export interface ReviewOptions extends WebhookOptions {
  readonly stage: Stage;
  /** The kind for which the webhook is registered. Default: all kinds with JobSet webhooks. */
  readonly kind?: ReviewedKind;
  /**
   * Whether a denial omits values that may be secret, such as environment values. By default it has upstream's exact
   * text. The decision and the patch do not depend on it. See `@jobset-ts/api/redaction`.
   */
  readonly redact?: boolean;
  /**
   * Whether a denial names its root causes: after upstream's message, in `status.details.causes` and in
   * `auditAnnotations`, and whether a denied update names the changed fields instead of showing a whole list. By
   * default `review` and `reviewJson` return upstream's exact text, and `createWebhookHandler` explains denials.
   */
  readonly explainDenials?: boolean;
}

/** The decision of the webhook, before it is encoded as a response. */
export type WebhookDecision =
  | {
      readonly outcome: "Allowed";
      /** The new object. Absent if nothing changes. */
      readonly object?: unknown;
      readonly decisions: readonly AdmissionDecision[];
    }
  | {
      readonly outcome: "Denied";
      readonly denial: Denial;
      /** The status that the client gets instead of the status of the denial. */
      readonly explained?: ExplainedDenial;
    }
  | {
      readonly outcome: "Malformed";
      readonly errors: readonly [FieldError, ...FieldError[]];
      /** The number of further errors. */
      readonly omitted: number;
    };

/** Runs the webhook for a request. */
export function decide(
  request: AdmissionRequest,
  snapshot: Snapshot,
  context: AdmissionContext,
  options: ReviewOptions,
): WebhookDecision {
  const { mutate, validate } = webhooks[request.kind.kind];
  return (
    undecodable(request, options) ??
    (options.stage === "mutate"
      ? toMutationDecision(mutate(request, snapshot, context, options))
      : toValidationDecision(validate(request, snapshot, context, options)))
  );
}

/** Adds the root causes to a denial, if the options say so. */
export function explainDecision(
  decision: WebhookDecision,
  request: AdmissionRequest,
  context: AdmissionContext,
  { explainDenials = false }: ReviewOptions,
): WebhookDecision {
  if (decision.outcome !== "Denied" || !explainDenials) return decision;
  return { ...decision, explained: explainedDenial(decision.denial, request, context) };
}

/** The webhooks of each kind, with a common signature. */
const webhooks: Readonly<Record<ReviewedKind, KindWebhooks>> = {
  JobSet: { mutate: mutateJobSet, validate: validateJobSet },
  Pod: { mutate: mutatePod, validate: validatePod },
};

interface KindWebhooks {
  readonly mutate: WebhookFunction<MutationResult<unknown>>;
  readonly validate: WebhookFunction<ValidationResult>;
}

/**
 * A Pod is decoded for every operation, as in upstream, and rejected if that fails. The JobSet webhooks decode their
 * objects themselves.
 */
function undecodable(
  { kind, object, oldObject }: AdmissionRequest,
  { stage }: ReviewOptions,
): WebhookDecision | undefined {
  if (kind.kind !== "Pod") return undefined;
  const pods = [object, stage === "validate" ? oldObject : undefined];
  const errors = truncateErrors();
  for (const pod of pods) errors.addAll(decodeErrors(pod ?? {}, "Pod"));
  const [first, ...others] = errors.errors;
  if (first === undefined) return undefined;
  return { outcome: "Malformed", errors: [first, ...others], omitted: errors.omitted };
}

function toMutationDecision(answer: MutationResult<unknown>): WebhookDecision {
  if (!answer.allowed) return { outcome: "Denied", denial: answer.denial };
  const { changed, object, decisions } = answer;
  return { outcome: "Allowed", ...(changed && { object }), decisions };
}

function toValidationDecision(answer: ValidationResult): WebhookDecision {
  return answer.allowed
    ? { outcome: "Allowed", decisions: [] }
    : { outcome: "Denied", denial: answer.denial };
}
