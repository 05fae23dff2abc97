import { review } from "@jobset-ts/admission";
import { contextOf } from "@jobset-ts/core";
import {
  jobSetAdmissionLaws,
  type Laws,
  podAdmissionLaws,
  type Webhooks,
  webhooksOfReview,
} from "@jobset-ts/testing/admission";

/** Laws of webhooks, and the feature gates under which they are held against one. */
export interface WebhookBundle {
  readonly kind: "Pod" | "JobSet";
  readonly laws: Laws<Webhooks>;
  readonly gates: readonly string[];
}

export const webhookBundles = {
  pods: { kind: "Pod", laws: podAdmissionLaws, gates: [] },
  jobSets: { kind: "JobSet", laws: jobSetAdmissionLaws, gates: [] },
  jobSetsUnderGates: {
    kind: "JobSet",
    laws: jobSetAdmissionLaws,
    gates: ["ElasticJobSet", "InPlaceRestart", "RestartJob"],
  },
} satisfies Readonly<Record<string, WebhookBundle>>;

/** Webhooks that answer as a function does; our own when there is none. */
export function webhooksUnder(
  gates: WebhookBundle["gates"],
  answer: typeof review = review,
): Webhooks {
  const features = Object.fromEntries(gates.map((gate) => [gate, true]));
  return webhooksOfReview(answer, contextOf({ now: 0, features }));
}
