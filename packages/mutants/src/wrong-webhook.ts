import type { Quirk } from "@jobset-ts/core";
import type { WebhookSubject, Webhooks } from "@jobset-ts/testing/admission";
import type { Loose } from "./edit.ts";
import { decodeAnswer, encodeAnswer } from "./webhook-answers.ts";
import { webhooksUnder } from "./webhooks.ts";

/** What a wrong webhook does instead of the right ones. */
export type WrongWebhook = (right: Webhooks) => Partial<Webhooks>;

/** A request, with the objects in the cluster. A copy may be changed. */
export interface Question {
  readonly object: Loose;
  readonly oldObject: Loose;
  readonly operation: string;
  readonly cluster: Loose[];
}

function asking(webhook: WebhookSubject, change: (question: Question) => void): WebhookSubject {
  return (review, cluster) => {
    const request: Loose = structuredClone(review.request);
    const copy: Loose[] = structuredClone([...cluster]);
    change({ ...request, cluster: copy });
    return webhook({ ...review, request }, copy);
  };
}

/** The validating webhook evaluates a changed question. */
export function validating(change: (question: Question) => void): WrongWebhook {
  return ({ validate }) => ({ validate: asking(validate, change) });
}

/** Both webhooks evaluate a changed question. A patch fits the object of the request, so only the cluster may change. */
export function both(change: (question: Question) => void): WrongWebhook {
  return ({ mutate, validate }) => ({
    mutate: asking(mutate, change),
    validate: asking(validate, change),
  });
}

/** Webhooks with a quirk, or under feature gates that they do not report. */
export function odd(quirk?: Quirk, gates: readonly string[] = []): WrongWebhook {
  return () => {
    const { mutate, validate } = webhooksUnder(gates, quirk && [quirk]);
    return { mutate, validate };
  };
}

/** The validating webhook admits or denies some requests without a check. */
export function deciding(decide: (question: Question) => boolean | undefined): WrongWebhook {
  return ({ validate }) => ({
    validate: async (review, cluster) => {
      const allowed = decide({ ...(review.request as Loose), cluster });
      const status = { message: "the webhook denies it", code: 422 };
      const response = { uid: review.request.uid, allowed, ...(!allowed && { status }) };
      const { apiVersion, kind } = review;
      return allowed === undefined ? validate(review, cluster) : { apiVersion, kind, response };
    },
  });
}

/** The validating webhook denies some requests without a check. */
export function denying(isDenied: (question: Question) => boolean): WrongWebhook {
  return deciding((question) => (isDenied(question) ? false : undefined));
}

/**
 * The mutating webhook returns another patch.
 *
 * @param operation - replaces that of the request
 */
export function patching(
  change: (patch: readonly Loose[], sent: Loose) => readonly Loose[],
  operation?: "CREATE",
): WrongWebhook {
  return ({ mutate }) => ({
    mutate: async (review, cluster) => {
      const request = { ...review.request, ...(operation && { operation }) };
      const { response, ...rest } = decodeAnswer(await mutate({ ...review, request }, cluster));
      if (!response.allowed) return { ...rest, response };
      const { patch: before = [], patchType: _, ...others } = response;
      const patch = change(before, review.request.object);
      const patched = patch.length > 0 && { patchType: "JSONPatch", patch };
      return encodeAnswer({ ...rest, response: { ...others, ...patched } });
    },
  });
}

/** The mutating webhook also sends more operations. */
export function adding(operations: (sent: Loose) => readonly Loose[]): WrongWebhook {
  return patching((patch, sent) => [...patch, ...operations(sent)]);
}

/** The validating webhook changes the status of its denials. It admits if there is none. */
export function denials(change: (status: Loose) => Loose | undefined): WrongWebhook {
  return ({ validate }) => ({
    validate: async (review, cluster) => {
      const result: Loose = await validate(review, cluster);
      const { uid, allowed, status: before } = result.response;
      if (allowed) return result;
      const status = change(before);
      return { ...result, response: { uid, allowed: !status, ...(status && { status }) } };
    },
  });
}
