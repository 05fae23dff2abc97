import { decodeBase64, encodeBase64 } from "@jobset-ts/admission/patch";
import type { AdmissionReviewJson, Webhook, Webhooks } from "@jobset-ts/testing/admission";
import { applyJsonPatch } from "@jobset-ts/testing/reference";
import fc from "fast-check";
import {
  type AnswerMutant,
  mutantsOfAnswer,
  type OpenAnswer,
  type Stage,
} from "./answer-mutants.ts";
import { type Examined, whyFree } from "./answers.ts";
import { type WebhookBundle, webhooksUnder } from "./webhooks.ts";

/** How often a property runs when nobody says otherwise. */
const RUNS = 100;

/** Of these laws the cases are objects that nobody could store, and the form of an answer is all that counts. */
const ASKS_ANYTHING = /ReviewsAreAnswered$/;

/**
 * Holds the laws of webhooks against right webhooks with one place of their answers changed.
 *
 * @param isMeant - which mutants to look at, by their number
 */
export async function* examineWebhooks(
  name: string,
  { laws, gates }: WebhookBundle,
  { seed, isMeant }: { readonly seed: number; readonly isMeant: (index: number) => boolean },
): AsyncGenerator<Examined> {
  const right = webhooksUnder(gates);
  const found = new Map<string, { readonly mutant: AnswerMutant; readonly laws: Set<string> }>();
  for (const [law, property] of laws) {
    if (ASKS_ANYTHING.test(law)) continue;
    const watched = answering(right, (stage, answer) => {
      for (const [key, mutant] of mutantsOfAnswer(stage, answer)) {
        const known = found.get(key);
        if (known === undefined) found.set(key, { mutant, laws: new Set([law]) });
        else known.laws.add(law);
      }
      return answer;
    });
    await fc.check(property(watched.webhooks), { seed, numRuns: RUNS });
  }
  const mutants = [...found.entries()].sort(([one], [other]) => (one < other ? -1 : 1));
  for (const [index, [, { mutant, laws: seenBy }]] of mutants.entries()) {
    if (!isMeant(index)) continue;
    const { change, place, mutate } = mutant;
    const { webhooks, hasEffect } = answering(right, mutate);
    const caught = await firstToCatch(
      [...laws].filter(([law]) => seenBy.has(law)),
      webhooks,
      seed,
    );
    const told = { change, place: `${name} ${place}` };
    const why = whyFree(told);
    if (caught !== undefined) yield { ...told, outcome: "Caught", ...caught };
    else if (why !== undefined) yield { ...told, outcome: "Free", why };
    else yield { ...told, outcome: hasEffect() ? "Missed" : "WithoutEffect" };
  }
}

async function firstToCatch(
  laws: readonly (readonly [string, (webhooks: Webhooks) => fc.IAsyncProperty<[object]>])[],
  webhooks: Webhooks,
  seed: number,
): Promise<{ readonly law: string; readonly runs: number } | undefined> {
  for (const [law, property] of laws) {
    const { failed, numRuns } = await fc.check(property(webhooks), {
      seed,
      numRuns: RUNS,
      endOnFailure: true,
    });
    if (failed) return { law, runs: numRuns };
  }
  return undefined;
}

/** Webhooks whose answers are changed, and whether that has made a difference yet to what an API server does or tells. */
function answering(
  { mutate, validate, features }: Webhooks,
  change: AnswerMutant["mutate"],
): { readonly webhooks: Webhooks; readonly hasEffect: () => boolean } {
  let hasEffect = false;
  const changed =
    (stage: Stage, webhook: Webhook): Webhook =>
    async (review, cluster) => {
      const answer = opened(await webhook(review, cluster));
      const other = change(stage, answer);
      hasEffect ||= other !== answer && effectText(review, answer) !== effectText(review, other);
      return closed(other);
    };
  const webhooks = { mutate: changed("mutate", mutate), validate: changed("validate", validate) };
  return { webhooks: { ...webhooks, ...(features && { features }) }, hasEffect: () => hasEffect };
}

/** With the patch as the operations that it is. */
export function opened(answer: unknown): OpenAnswer {
  const open = answer as OpenAnswer;
  const { patch } = open.response as { readonly patch?: unknown };
  if (typeof patch !== "string") return open;
  return { ...open, response: { ...open.response, patch: JSON.parse(decodeBase64(patch) ?? "") } };
}

/** As it goes over the wire. */
export function closed({ response, ...rest }: OpenAnswer): unknown {
  const { patch } = response;
  if (!Array.isArray(patch)) return { ...rest, response };
  return { ...rest, response: { ...response, patch: encodeBase64(JSON.stringify(patch)) } };
}

/** What an API server stores, or what it tells the client. */
function effectText({ request }: AdmissionReviewJson, { response }: OpenAnswer): string {
  if (!response?.allowed) return JSON.stringify(response ?? null);
  const { patch, ...rest } = response;
  return JSON.stringify([rest, applyJsonPatch(request.object, patch ?? [])]);
}
