import { review } from "@jobset-ts/admission";
import { createContext, type Quirk } from "@jobset-ts/core";
import {
  jobSetAdmissionLaws,
  type Laws,
  podAdmissionLaws,
  type Webhooks,
  webhooksFromReview,
} from "@jobset-ts/testing/admission";

/** Laws of webhooks, and the feature gates under which they are checked. */
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

/** Returns our webhooks with feature gates and quirks. */
export function webhooksUnder(
  gates: WebhookBundle["gates"],
  quirks: readonly Quirk[] = [],
): Webhooks {
  const features = Object.fromEntries(gates.map((gate) => [gate, true]));
  return webhooksFromReview(review, createContext({ now: 0, features, quirks }));
}
