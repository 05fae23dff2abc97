import type { Quirk } from "@jobset-ts/core";
import type { AdmissionReviewInput, WebhookSubject, Webhooks } from "@jobset-ts/testing/admission";
import type { OpenAnswer } from "./answer-mutants.ts";
import { closed, opened } from "./webhook-answers.ts";
import { type webhookBundles, webhooksUnder } from "./webhooks.ts";

/** A webhook that is wrong about one member, one element or one branch, and the law that has to find it. */
export interface WrongWebhook {
  readonly what: string;
  readonly bundle: keyof typeof webhookBundles;
  readonly by: string;
  /** What it does instead of right webhooks. */
  readonly wrong: (right: Webhooks) => Partial<Webhooks>;
}

/** Wrong webhooks by the law that catches them and by what they do. */
export type WrongByLaw = Readonly<Record<string, Readonly<Record<string, WrongWebhook["wrong"]>>>>;

export function namedByLaw(bundle: WrongWebhook["bundle"], laws: WrongByLaw): WrongWebhook[] {
  return Object.entries(laws).flatMap(([by, subjects]) =>
    Object.entries(subjects).map(([what, wrong]) => ({ what, bundle, by, wrong })),
  );
}

// biome-ignore lint/suspicious/noExplicitAny: objects are taken as they are
export type Loose = any;

/** A request whose objects may be changed, and the cluster, which may, too. */
export interface Question {
  readonly object: Loose;
  readonly oldObject: Loose;
  readonly operation: AdmissionReviewInput["request"]["operation"];
  readonly cluster: Loose[];
}

/** Calls a webhook about something else: a copy of the request and the cluster after a change. */
export function asking(
  webhook: WebhookSubject,
  change: (question: Question) => void,
): WebhookSubject {
  return (review, cluster) => {
    const request = structuredClone(review.request) as Loose;
    const copy = structuredClone(cluster) as Loose[];
    change({ ...request, cluster: copy });
    return webhook({ ...review, request }, copy);
  };
}

/** The validating webhook, called about something else. */
export function validating(change: (question: Question) => void): WrongWebhook["wrong"] {
  return ({ validate }) => ({ validate: asking(validate, change) });
}

/** Webhooks with a quirk, or under other gates than they say. */
export function odd(quirk?: Quirk, gates: readonly string[] = []): WrongWebhook["wrong"] {
  return () => {
    const { mutate, validate } = webhooksUnder(gates, quirk && [quirk]);
    return { mutate, validate };
  };
}

/** Both webhooks, called about something else. A patch would be one of that, so the mutating one may only change the cluster. */
export function both(change: (question: Question) => void): WrongWebhook["wrong"] {
  return ({ mutate, validate }) => ({
    mutate: asking(mutate, change),
    validate: asking(validate, change),
  });
}

/** The validating webhook, which admits and denies some requests without a look. */
export function deciding(
  decide: (question: Question) => boolean | undefined,
): WrongWebhook["wrong"] {
  return ({ validate }) => ({
    validate: async (review, cluster) => {
      const allowed = decide({ ...(review.request as Loose), cluster });
      if (allowed === undefined) return validate(review, cluster);
      const { uid } = review.request;
      const status = allowed ? {} : { status: { message: "the webhook denies it", code: 422 } };
      const { apiVersion, kind } = review;
      return { apiVersion, kind, response: { uid, allowed, ...status } };
    },
  });
}

/**
 * The mutating webhook with another patch.
 *
 * @param operation - the request is passed on as this one
 */
export function patching(
  change: (patch: readonly Loose[], sent: Loose) => readonly Loose[],
  operation?: "CREATE",
): WrongWebhook["wrong"] {
  return ({ mutate }) => ({
    mutate: async (review, cluster) => {
      const request = { ...review.request, ...(operation && { operation }) };
      const answer = opened(await mutate({ ...review, request }, cluster));
      return closed(withPatch(answer, (patch) => change(patch, review.request.object)));
    },
  });
}

function withPatch(
  { response, ...rest }: OpenAnswer,
  change: (patch: readonly unknown[]) => readonly unknown[],
): OpenAnswer {
  const { allowed, patch = [] } = response;
  if (!allowed) return { ...rest, response };
  const operations = change(patch);
  if (operations.length === 0) {
    const { patch: _, patchType: __, ...unpatched } = response;
    return { ...rest, response: unpatched };
  }
  return { ...rest, response: { ...response, patchType: "JSONPatch", patch: operations } };
}

/** The validating webhook with another status of its denials; it admits where there is none. */
export function denials(change: (status: Loose) => Loose | undefined): WrongWebhook["wrong"] {
  return ({ validate }) => ({
    validate: async (review, cluster) => {
      const answer = (await validate(review, cluster)) as Loose;
      const { uid, allowed, status } = answer.response;
      if (allowed) return answer;
      const next = change(status);
      const response = next ? { uid, allowed, status: next } : { uid, allowed: true };
      return { ...answer, response };
    },
  });
}

/** Which elements of a list are checked, by a webhook that does not check all. */
export const someElements: Readonly<Record<string, (index: number, length: number) => boolean>> = {
  "only the first": (index) => index === 0,
  "only the last": (index, length) => index === length - 1,
  "all but the last": (index, length) => length === 1 || index < length - 1,
};

/** The value at a path; undefined if there is none. */
export function at(object: Loose, path: readonly string[]): Loose {
  return path.reduce((value, name) => value?.[name], object);
}

/** Writes a value, or removes the member if it is undefined. */
export function put(object: Loose, path: readonly string[], value: Loose): void {
  const owner = path.slice(0, -1).reduce((parent, name) => {
    if (parent[name] === undefined && value !== undefined) parent[name] = {};
    return parent?.[name] ?? {};
  }, object);
  const last = path.at(-1) ?? "";
  if (value === undefined) delete owner[last];
  else owner[last] = value;
}

export function list(value: Loose): Loose[] {
  return Array.isArray(value) ? value : [];
}
