import { review } from "@jobset-ts/admission";
import { createContext, type Quirk } from "@jobset-ts/core";
import {
  jobSetAdmissionLaws,
  type Laws,
  podAdmissionLaws,
  type Webhooks,
  webhooksFromReview,
} from "@jobset-ts/testing/admission";

/** The laws of the two webhooks of a kind, and the feature gates under which they are checked. */
export interface WebhookBundle {
  readonly kind: "Pod" | "JobSet";
  readonly laws: Laws<Webhooks>;
  /** The law that sends malformed objects. It checks only that there is a response, so mutants of responses skip it. */
  readonly malformedObjectsLaw: string;
  readonly gates: readonly string[];
}

const jobSets: WebhookBundle = {
  kind: "JobSet",
  laws: jobSetAdmissionLaws,
  malformedObjectsLaw: "jobSetReviewsGetAResponse",
  gates: [],
};

export const webhookBundles = {
  pods: {
    kind: "Pod",
    laws: podAdmissionLaws,
    malformedObjectsLaw: "podReviewsGetAResponse",
    gates: [],
  },
  jobSets,
  jobSetsUnderGates: { ...jobSets, gates: ["ElasticJobSet", "InPlaceRestart", "RestartJob"] },
} satisfies Readonly<Record<string, WebhookBundle>>;

/** Creates our webhooks with feature gates and quirks. */
export function createOwnWebhooks(
  gates: WebhookBundle["gates"],
  quirks: readonly Quirk[] = [],
): Webhooks {
  const features = Object.fromEntries(gates.map((gate) => [gate, true]));
  return webhooksFromReview(review, createContext({ now: 0, features, quirks }));
}
