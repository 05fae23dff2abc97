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
  /**
   * The law that sends objects that no server stores. It checks only the form of a response, so it has no part in the
   * examination of changed answers.
   */
  readonly lawOfForm: string;
}

export const webhookBundles = {
  pods: { kind: "Pod", laws: podAdmissionLaws, gates: [], lawOfForm: "podReviewsGetAResponse" },
  jobSets: {
    kind: "JobSet",
    laws: jobSetAdmissionLaws,
    gates: [],
    lawOfForm: "jobSetReviewsGetAResponse",
  },
  jobSetsUnderGates: {
    kind: "JobSet",
    laws: jobSetAdmissionLaws,
    gates: ["ElasticJobSet", "InPlaceRestart", "RestartJob"],
    lawOfForm: "jobSetReviewsGetAResponse",
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
