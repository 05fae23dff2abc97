import fc from "fast-check";
import type { WebhookLawSet } from "../law-sets.ts";
import { changeReviews, type Review, stages } from "../webhooks.ts";
import type { Subject } from "./examine-mutants.ts";
import { listMutants, type Mutate } from "./output-mutants.ts";

/** Creates a subject from each of our two webhooks of a kind. */
export function createWebhookSubjects(lawSet: WebhookLawSet): readonly Subject[] {
  return stages.map((stage) => ({
    // The laws about malformed objects only check that there is a response.
    laws: [...lawSet.laws.keys()].filter((law) => !law.endsWith("ReviewsGetAResponse")),
    listMutants: (review) => listReviewMutants(`${lawSet.kind}.${stage}`, review as Review),
    isViolated: async (law, mutate, numRuns) => {
      const webhooks = changeReviews(
        lawSet.createOwn(),
        stage,
        (review) => mutate(review) as Review,
      );
      const property = lawSet.laws.get(law)?.(webhooks);
      if (property === undefined) throw new Error(`there is no law ${law}`);
      return (await fc.check(property, { seed: 7, numRuns, endOnFailure: true })).failed;
    },
  }));
}

/** Returns the mutants of a review by their keys. The first one inverts its decision. */
export function listReviewMutants(name: string, review: Review): ReadonlyMap<string, Mutate> {
  const decision = summarizeDecision(review);
  const invert = (other: unknown) =>
    summarizeDecision(other as Review) === decision ? invertDecision(other as Review) : other;
  const others = listMutants(review, { name, getLabel });
  return new Map([[`decide otherwise ${name} ${decision}`, invert], ...others]);
}

/** Summarizes the decision: denials by the field of their first cause, or the start of their message. */
function summarizeDecision({ response }: Review): string {
  const { allowed, status, patch } = response;
  if (allowed) return `admits${patch === undefined ? "" : ", with a patch"}`;
  const field = status?.details?.causes?.[0]?.field;
  const topic = field ?? status?.message?.replace(/["(':].*$/s, "").trim() ?? "";
  return `denies ${maskNumbers(topic)}`;
}

function invertDecision({ response: { uid, allowed }, ...rest }: Review): Review {
  const status = { message: "something is wrong", code: 422 };
  return { ...rest, response: { uid, allowed: !allowed, ...(allowed && { status }) } };
}

/** Labels a patch operation by operation and path, a cause by its field, and other elements by their key or name. */
export function getLabel(element: unknown): string {
  const { op, path, field, key, operator, name, type } = Object(element);
  const texts = [op, path, field, key, operator, name, type];
  return maskNumbers(texts.filter((text) => typeof text === "string").join(" "));
}

function maskNumbers(text: string): string {
  return text.replace(/(?<=[/[])\d+|(?<=\s)\d+/g, "*");
}
