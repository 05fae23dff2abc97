import type { Observed } from "@jobset-ts/api";
import { type FieldError, toldErrors } from "@jobset-ts/api/errors";
import type { Pod } from "@jobset-ts/api/kubernetes";
import { decodeErrors } from "@jobset-ts/api/typed";
import type { Context, Snapshot } from "@jobset-ts/core";
import type { NamingOptions } from "../jobset/jobset-view.ts";
import { mutateJobSet } from "../jobset/mutate-jobset.ts";
import { validateJobSet } from "../jobset/validate-jobset.ts";
import type { NotFoundStyle } from "../pod/leader-domain.ts";
import { mutatePod } from "../pod/mutate-pod.ts";
import { validatePod } from "../pod/validate-pod.ts";
import type { AdmissionDecision, Denial, Mutated, Validated } from "../verdict.ts";
import type { AdmissionRequest } from "./admission-request.ts";
import type { ReviewedKind, Stage } from "./webhooks.ts";

/** Which webhook is asked, and how it answers. */
export interface ReviewOptions extends NamingOptions {
  readonly stage: Stage;
  /** The kind of object that the webhook is for; by default each that JobSet has webhooks for. */
  readonly kind?: ReviewedKind;
  /** How a missing node is reported; default `api`. */
  readonly notFoundStyle?: NotFoundStyle;
}

/** What the webhook that is asked says, before it is put into words. */
export type WebhookDecision =
  | {
      readonly outcome: "Allowed";
      /** The object as it is to be; absent when nobody changes it. */
      readonly object?: unknown;
      readonly decisions: readonly AdmissionDecision[];
    }
  | { readonly outcome: "Denied"; readonly denial: Denial }
  | {
      readonly outcome: "Malformed";
      readonly errors: readonly [FieldError, ...FieldError[]];
      /** How many errors there are besides. */
      readonly omitted: number;
    };

/** Asks the webhook that a request is for. */
export function decide(
  request: AdmissionRequest,
  options: ReviewOptions,
  snapshot: Snapshot,
  context: Context,
): WebhookDecision {
  switch (request.kind.kind) {
    case "JobSet":
      return decideJobSet(request, options, snapshot, context);
    case "Pod":
      return decidePod(request, options, snapshot, context);
  }
}

function decideJobSet(
  { operation, object, oldObject }: AdmissionRequest,
  options: ReviewOptions,
  snapshot: Snapshot,
  context: Context,
): WebhookDecision {
  if (operation === "CONNECT") return leftAlone("Connection", "nothing becomes of the JobSet");
  const request = { operation, object, oldObject };
  return options.stage === "mutate"
    ? mutated(mutateJobSet(request, snapshot, context))
    : validated(validateJobSet(request, snapshot, context, options));
}

/** The object is decoded whatever is asked for, as upstream does, and so refused when it is no Pod. */
function decidePod(
  { operation, object, oldObject }: AdmissionRequest,
  { stage, notFoundStyle }: ReviewOptions,
  snapshot: Snapshot,
  context: Context,
): WebhookDecision {
  const pods = [object, stage === "validate" ? oldObject : undefined];
  const errors = toldErrors();
  for (const pod of pods) errors.addAll(decodeErrors(pod ?? {}, "Pod"));
  const [first, ...others] = errors.told;
  if (first !== undefined) {
    return { outcome: "Malformed", errors: [first, ...others], omitted: errors.omitted };
  }
  const pod = (operation === "DELETE" ? oldObject : object) as Observed<Pod>;
  const told = { operation, notFoundStyle };
  return stage === "mutate"
    ? mutated(mutatePod(pod ?? {}, snapshot, context, told))
    : validated(validatePod(pod ?? {}, snapshot, context, told));
}

function mutated(answer: Mutated<unknown>): WebhookDecision {
  if (!answer.allowed) return { outcome: "Denied", denial: answer.denial };
  const { changed, object, decisions } = answer;
  return { outcome: "Allowed", ...(changed && { object }), decisions };
}

function validated(answer: Validated): WebhookDecision {
  return answer.allowed
    ? { outcome: "Allowed", decisions: [] }
    : { outcome: "Denied", denial: answer.denial };
}

function leftAlone(rule: string, message: string): WebhookDecision {
  return { outcome: "Allowed", decisions: [{ rule, message }] };
}
