import fc from "fast-check";
import { it } from "vitest";
import { runs } from "../../../testing/src/testing/runs.ts";
import { createWebhookHandler } from "./handler.ts";
import { requiredObjects } from "./required-objects.ts";
import { review } from "./review.ts";
import {
  anyRequestIsAnswered,
  anyReviewIsAnswered,
  patchesGiveTheMutatedObject,
  requirementsSuffice,
} from "./testing/review-properties.ts";

const some = { numRuns: runs(150) };

it("gives the mutated object by its patch", () => {
  fc.assert(patchesGiveTheMutatedObject(review), some);
});

it("answers any review", () => {
  fc.assert(anyReviewIsAnswered(review), some);
});

it("answers any request", async () => {
  await fc.assert(anyRequestIsAnswered(createWebhookHandler), some);
});

it("needs no more than it requires", () => {
  fc.assert(requirementsSuffice(requiredObjects, review), some);
});
