import type { Quirk } from "@jobset-ts/core";
import type { WebhookSubject, Webhooks } from "@jobset-ts/testing/admission";
import { decodeAnswer, encodeAnswer, type Stage } from "../changed-answers/webhook-answers.ts";
import type { Loose } from "../edit.ts";
import { webhooksUnder } from "../webhooks.ts";

/** What a wrong webhook does instead of the right ones. */
export type WrongWebhook = (right: Webhooks) => Partial<Webhooks>;

/** A request, with the objects in the cluster. */
export interface Question {
  readonly object: Loose;
  readonly oldObject: Loose;
  operation: string;
  readonly cluster: Loose[];
}

/** The right webhook evaluates a changed copy of the question. */
function asking(stage: Stage, change: (question: Question) => void): WrongWebhook {
  return (right) => {
    const webhook: WebhookSubject = (review, objects) => {
      const question: Loose = structuredClone({ ...review.request, cluster: [...objects] });
      change(question);
      const { cluster, ...request } = question;
      return right[stage]({ ...review, request }, cluster);
    };
    return { [stage]: webhook };
  };
}

/** The response of the right webhook is changed. */
function answering(
  stage: Stage,
  change: (response: Loose, question: Question) => Loose,
): WrongWebhook {
  return (right) => {
    const webhook: WebhookSubject = async (review, cluster) => {
      const { response, ...rest } = decodeAnswer(await right[stage](review, cluster));
      const question = { ...(review.request as Loose), cluster };
      return encodeAnswer({ ...rest, response: change(response, question) });
    };
    return { [stage]: webhook };
  };
}

/** The validating webhook evaluates a changed question. */
export const validating = (change: (question: Question) => void) => asking("validate", change);

/** Both webhooks evaluate a changed question. A patch fits the object of the request, so only the cluster may change. */
export function both(change: (question: Question) => void): WrongWebhook {
  return (right) => ({ ...asking("mutate", change)(right), ...asking("validate", change)(right) });
}

/** Webhooks with a quirk, or under feature gates that they do not report. */
export function odd(quirk?: Quirk, gates: readonly string[] = []): WrongWebhook {
  return () => {
    const { mutate, validate } = webhooksUnder(gates, quirk && [quirk]);
    return { mutate, validate };
  };
}

/** The validating webhook denies some requests, whatever the right one decides. */
export function denying(isDenied: (question: Question) => boolean): WrongWebhook {
  return answering("validate", (response, question) =>
    isDenied(question)
      ? { uid: response.uid, allowed: false, status: { message: "it is wrong", code: 422 } }
      : response,
  );
}

/** The validating webhook changes the status of its denials. It admits if there is none. */
export function denials(
  change: (status: Loose, question: Question) => Loose | undefined,
): WrongWebhook {
  return answering("validate", ({ uid, allowed, status: before }, question) => {
    const status = allowed ? before : change(before, question);
    return { uid, allowed: allowed || !status, ...(status && { status }) };
  });
}

/** The validating webhook does not check something: it admits what the right one denies for that reason. */
export function overlooking(
  reason: RegExp,
  isMeant: (question: Question) => boolean = () => true,
): WrongWebhook {
  return denials((status, question) =>
    reason.test(status.message) && isMeant(question) ? undefined : status,
  );
}

/** The mutating webhook returns another patch. */
export function patching(
  change: (patch: readonly Loose[], sent: Loose) => readonly Loose[],
): WrongWebhook {
  return answering("mutate", (response, { object }) => {
    if (!response.allowed) return response;
    const { patch: before = [], patchType: _, ...others } = response;
    const patch = change(before, object);
    return { ...others, ...(patch.length > 0 && { patchType: "JSONPatch", patch }) };
  });
}

/** The mutating webhook also sends more operations. */
export function adding(operations: (sent: Loose) => readonly Loose[]): WrongWebhook {
  return patching((patch, sent) => [...patch, ...operations(sent)]);
}

/** The mutating webhook treats updates as creations, and returns a part of its patch. */
export function patchingUpdates(isMeant: (operation: Loose) => boolean): WrongWebhook {
  return (right) => {
    const asked = asking("mutate", (question) => {
      question.operation = "CREATE";
    })(right);
    return patching((patch) => patch.filter(isMeant))({ ...right, ...asked });
  };
}
