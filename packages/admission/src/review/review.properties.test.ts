import fc from "fast-check";
import { it } from "vitest";
import { runs } from "../../../testing/src/testing/runs.ts";
import { createWebhookHandler } from "./handler.ts";
import { requiredObjects } from "./required-objects.ts";
import { review } from "./review.ts";
import {
  anyRequestGetsResponse,
  anyReviewGetsResponse,
  patchesGiveTheMutatedObject,
  requirementsSuffice,
} from "./testing/review-properties.ts";

const some = { numRuns: runs(150) };

it("the patch of a review creates the mutated object", () => {
  fc.assert(patchesGiveTheMutatedObject(review), some);
});

it("reviewJson returns a response for any review", () => {
  fc.assert(anyReviewGetsResponse(review), some);
});

it("review returns a response for any request", async () => {
  await fc.assert(anyRequestGetsResponse(createWebhookHandler), some);
});

it("review reads only objects that requiredObjects lists", () => {
  fc.assert(requirementsSuffice(requiredObjects, review), some);
});
