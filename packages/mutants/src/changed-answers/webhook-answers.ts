import { decodeBase64, encodeBase64 } from "@jobset-ts/admission/patch";
import type { AdmissionReviewInput, WebhookSubject } from "@jobset-ts/testing/admission";
import fc from "fast-check";
import { applyJsonPatch } from "../../../testing/src/laws/apply-json-patch.ts";
import { createOwnWebhooks, type WebhookBundle } from "../webhooks.ts";
import { type AnswerMutant, mutantsOfAnswer } from "./answer-mutants.ts";
import type { Subject } from "./answers.ts";

/** The review that a webhook returns, with its patch as a list of operations. */
export interface OpenAnswer {
  readonly response: OpenResponse;
  readonly [member: string]: unknown;
}

interface OpenResponse {
  readonly allowed: boolean;
  readonly status?: {
    readonly message?: string;
    readonly code?: number;
    readonly details?: { readonly causes?: readonly { readonly field?: string }[] };
  };
  readonly patch?: readonly unknown[];
  readonly [member: string]: unknown;
}

/** Which of the two webhooks of a kind is called. */
export type Stage = "mutate" | "validate";

/** Returns the correct webhooks of a bundle as a subject. An answer is a review under the member of its stage. */
export function webhookSubject({ kind, laws, gates, malformedObjectsLaw }: WebhookBundle): Subject {
  const { mutate, validate, features } = createOwnWebhooks(gates);
  return {
    laws: [...laws.keys()].filter((law) => law !== malformedObjectsLaw),
    mutantsOf: (result) => mutantsOfReview(kind, result as Answer),
    check: async (law, change, numRuns) => {
      let hasEffect = false;
      const changing =
        (stage: Stage, webhook: WebhookSubject): WebhookSubject =>
        async (review, cluster) => {
          const result: Answer = { [stage]: decodeReview(await webhook(review, cluster)) };
          const other = change(result) as Answer;
          hasEffect ||=
            other !== result && effectText(review, result) !== effectText(review, other);
          return encodeReview(reviewIn(other));
        };
      const webhooks = {
        mutate: changing("mutate", mutate),
        validate: changing("validate", validate),
        ...(features && { features }),
      };
      const property = laws.get(law)?.(webhooks);
      if (property === undefined) throw new Error(`there is no law ${law}`);
      const { failed } = await fc.check(property, { seed: 7, numRuns, endOnFailure: true });
      return { broken: failed ? law : undefined, hasEffect };
    },
  };
}

type Answer = Readonly<Partial<Record<Stage, OpenAnswer>>>;

function reviewIn({ mutate, validate }: Answer): OpenAnswer {
  return mutate ?? validate ?? { response: { allowed: true } };
}

/** Returns the mutants of the review that a webhook returns. */
export function mutantsOfReview(name: string, result: Answer): readonly AnswerMutant[] {
  const decision = summarizeDecision(result);
  const decideOtherwise: AnswerMutant = {
    change: "decide otherwise",
    place: `${name}.${decision}`,
    mutate: (one) =>
      summarizeDecision(one as Answer) === decision ? invertDecision(one as Answer) : one,
  };
  return [decideOtherwise, ...mutantsOfAnswer(result, { name, mark: getMark })];
}

/** Returns the decision of a webhook: the field of the first cause, or the start of the message. */
function summarizeDecision(result: Answer): string {
  const { allowed, status, patch } = reviewIn(result).response;
  const [stage] = Object.keys(result);
  if (allowed) return `${stage} admits${patch === undefined ? "" : ", with a patch"}`;
  const field = status?.details?.causes?.[0]?.field;
  const about = field ?? status?.message?.replace(/["(':].*$/s, "").trim() ?? "";
  return `${stage} denies ${withoutNumbers(about)}`;
}

function invertDecision(result: Answer): Answer {
  const { response, ...rest } = reviewIn(result);
  const { uid, allowed } = response;
  const status = { message: "something is wrong", code: 422 };
  const other = { uid, allowed: !allowed, ...(allowed && { status }) };
  return { [Object.keys(result)[0] ?? ""]: { ...rest, response: other } };
}

/** Returns the mark of an element: operation and path of a patch operation, the field of a cause, the key of a term. */
export function getMark(element: unknown): string {
  const { op, path, field, key, operator, name, type } = Object(element);
  const marks: readonly unknown[] = [op, path, field, key, operator, name, type];
  return withoutNumbers(marks.filter((mark) => typeof mark === "string").join(" "));
}

function withoutNumbers(text: string): string {
  return text.replace(/(?<=[/[])\d+|(?<=\s)\d+/g, "*");
}

/** Reads the patch of a review as operations. */
export function decodeReview(result: unknown): OpenAnswer {
  const open = result as OpenAnswer;
  const { patch } = open.response as { readonly patch?: unknown };
  if (typeof patch !== "string") return open;
  return { ...open, response: { ...open.response, patch: JSON.parse(decodeBase64(patch) ?? "") } };
}

/** Writes the patch of a review as it goes over the wire. */
export function encodeReview({ response, ...rest }: OpenAnswer): unknown {
  const { patch } = response;
  if (!Array.isArray(patch)) return { ...rest, response };
  return { ...rest, response: { ...response, patch: encodeBase64(JSON.stringify(patch)) } };
}

/** Returns what an API server stores or returns to the client. It ignores the status of an admission. */
function effectText({ request }: AdmissionReviewInput, result: Answer): string {
  const { allowed, patch = [], status, ...rest } = reviewIn(result).response;
  const visible = allowed ? applyJsonPatch(request.object, patch) : status;
  return JSON.stringify([rest, allowed, visible], (_, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );
}
