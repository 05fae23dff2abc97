import { decodeBase64, encodeBase64 } from "@jobset-ts/admission/patch";
import type { WebhookSubject, Webhooks } from "@jobset-ts/testing/admission";
import type { Untyped } from "./edit.ts";

/** The two webhooks of a kind. */
export const stages = ["mutate", "validate"] as const;
export type Stage = (typeof stages)[number];

/** The request of a review, and the objects in the cluster. */
export interface WebhookInput {
  readonly object: Untyped;
  readonly oldObject: Untyped;
  operation: string;
  readonly cluster: Untyped[];
}

/** The review that a webhook returns. Its patch is a list of operations. */
export type Review = Readonly<Record<string, unknown>> & { readonly response: Untyped };

/** Returns webhooks of which one changes the reviews of another one. */
export function changeReviews(
  webhooks: Webhooks,
  stage: Stage,
  change: (review: Review, input: WebhookInput) => Review,
): Webhooks {
  const changed: WebhookSubject = async (review, cluster) => {
    const own = decodeReview(await webhooks[stage](review, cluster));
    return encodeReview(change(own, { ...review.request, cluster: [...cluster] }));
  };
  return { ...webhooks, [stage]: changed };
}

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
