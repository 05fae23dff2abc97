import { review } from "@jobset-ts/admission";
import { decodeBase64, encodeBase64 } from "@jobset-ts/admission/patch";
import { createContext, NO_QUIRKS, type Quirks } from "@jobset-ts/core";
import {
  jobSetAdmissionLaws,
  type Laws,
  podAdmissionLaws,
  type Webhooks,
  webhooksFromReview,
} from "@jobset-ts/testing/admission";
import type { Untyped } from "./edit.ts";

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
  quirks: Quirks = NO_QUIRKS,
): Webhooks {
  const features = Object.fromEntries(gates.map((gate) => [gate, true]));
  return webhooksFromReview(review, createContext({ now: 0, features, quirks }));
}

/** Selects one of the two webhooks of a kind. */
export type Stage = "mutate" | "validate";

/** The review that a webhook returns. */
export type Review = Readonly<Record<string, unknown>> & { readonly response: Untyped };

/** Decodes the patch of a review to a list of operations. */
export function decodeReview(review: unknown): Review {
  const { response, ...rest } = review as Review;
  if (typeof response.patch !== "string") return { ...rest, response };
  const patch = JSON.parse(decodeBase64(response.patch) ?? "");
  return { ...rest, response: { ...response, patch } };
}

/** Encodes the operations of a decoded review. */
export function encodeReview({ response, ...rest }: Review): unknown {
  if (!Array.isArray(response.patch)) return { ...rest, response };
  const patch = encodeBase64(JSON.stringify(response.patch));
  return { ...rest, response: { ...response, patch } };
}
