import { decodeBase64, encodeBase64 } from "@jobset-ts/admission/patch";
import type { AdmissionReviewInput, WebhookSubject, Webhooks } from "@jobset-ts/testing/admission";
import fc from "fast-check";
import { applyJsonPatch } from "../../testing/src/laws/apply-json-patch.ts";
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
 * @param isMeant - which mutants to look at, by change and place
 */
export async function* examineWebhooks(
  { kind, laws, gates }: WebhookBundle,
  { seed, isMeant }: { readonly seed: number; readonly isMeant: (key: string) => boolean },
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
  const mutants = [...found.values()].map(({ mutant, laws: seenBy }) => {
    const told = { change: mutant.change, place: `${kind} ${mutant.place}` };
    return { ...told, key: `${told.change} ${told.place}`, mutate: mutant.mutate, seenBy };
  });
  mutants.sort((one, other) => (one.key < other.key ? -1 : 1));
  for (const { change, place, key, mutate, seenBy } of mutants) {
    if (!isMeant(key)) continue;
    const { webhooks, hasEffect } = answering(right, mutate);
    const told = { change, place };
    const why = whyFree(told);
    const caught = await firstToCatch(
      [...laws].filter(([law]) => seenBy.has(law)),
      webhooks,
      // What is free needs no long search.
      { seed, numRuns: why === undefined ? RUNS : RUNS / 5 },
    );
    if (caught !== undefined) yield { ...told, outcome: "Caught", ...caught };
    else if (why !== undefined) yield { ...told, outcome: "Free", why };
    else yield { ...told, outcome: hasEffect() ? "Missed" : "WithoutEffect" };
  }
}

async function firstToCatch(
  laws: readonly (readonly [string, (webhooks: Webhooks) => fc.IAsyncProperty<[object]>])[],
  webhooks: Webhooks,
  options: { readonly seed: number; readonly numRuns: number },
): Promise<{ readonly law: string; readonly runs: number } | undefined> {
  for (const [law, property] of laws) {
    const { failed, numRuns } = await fc.check(property(webhooks), {
      ...options,
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
    (stage: Stage, webhook: WebhookSubject): WebhookSubject =>
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

/** What an API server stores, or what it tells the client. Of what is let in it looks at no status. */
function effectText({ request }: AdmissionReviewInput, { response }: OpenAnswer): string {
  const { allowed, patch = [], status, ...rest } = response;
  const told = allowed ? applyJsonPatch(request.object, patch) : status;
  return JSON.stringify([rest, allowed, told], (_, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );
}
