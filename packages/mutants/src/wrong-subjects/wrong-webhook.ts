// Our webhooks with a defect: they read another request, or return another response.
import type { Quirk } from "@jobset-ts/core";
import type { WebhookSubject, Webhooks } from "@jobset-ts/testing/admission";
import type { Untyped } from "../edit.ts";
import {
  createOwnWebhooks,
  decodeReview,
  encodeReview,
  type Stage,
  webhookBundles,
} from "../webhooks.ts";
import { createWrongSubjects, type DefectsByLaw, type WrongSubject } from "./wrong-subject.ts";

/** Returns the webhooks that replace our own. */
export type WebhookDefect = (own: Webhooks) => Partial<Webhooks>;

/** The request of a review, and the objects in the cluster. */
export interface WebhookInput {
  readonly object: Untyped;
  readonly oldObject: Untyped;
  operation: string;
  readonly cluster: Untyped[];
}

export const isCreation = ({ operation }: WebhookInput) => operation === "CREATE";
export const isUpdate = ({ operation }: WebhookInput) => operation === "UPDATE";

/** Creates wrong webhooks for each defect. */
export function createWrongWebhooks(
  lawSet: WrongSubject["lawSet"] & keyof typeof webhookBundles,
  defectsByLaw: DefectsByLaw<WebhookDefect>,
): readonly WrongSubject[] {
  const own = createOwnWebhooks(webhookBundles[lawSet].gates);
  return createWrongSubjects(lawSet, defectsByLaw, (defect) => ({ ...own, ...defect(own) }));
}

function misreadInStage(stage: Stage, change: (input: WebhookInput) => unknown): WebhookDefect {
  return (own) => {
    const webhook: WebhookSubject = (review, objects) => {
      const input: Untyped = structuredClone({ ...review.request, cluster: [...objects] });
      change(input);
      const { cluster, ...request } = input;
      return own[stage]({ ...review, request }, cluster);
    };
    return { [stage]: webhook };
  };
}

function changeResponse(
  stage: Stage,
  change: (response: Untyped, input: WebhookInput) => Untyped,
): WebhookDefect {
  return (own) => {
    const webhook: WebhookSubject = async (review, cluster) => {
      const { response, ...rest } = decodeReview(await own[stage](review, cluster));
      const input = { ...(review.request as Untyped), cluster };
      return encodeReview({ ...rest, response: change(response, input) });
    };
    return { [stage]: webhook };
  };
}

/** The validating webhook reads a changed copy of its input. */
export const misread = (change: (input: WebhookInput) => unknown) =>
  misreadInStage("validate", change);

/** Both webhooks read a changed copy of the cluster. The Pod must stay the same, because the patch has to fit. */
export const misreadCluster =
  (change: (input: WebhookInput) => unknown): WebhookDefect =>
  (own) => ({
    ...misreadInStage("mutate", change)(own),
    ...misreadInStage("validate", change)(own),
  });

export const withQuirk = (quirk: Quirk): WebhookDefect => withoutReport([], [quirk]);
/** The webhooks behave as under a feature gate, but do not report it. */
export const withGate = (gate: string): WebhookDefect => withoutReport([gate]);

function withoutReport(gates: readonly string[], quirks: readonly Quirk[] = []): WebhookDefect {
  return () => {
    const { mutate, validate } = createOwnWebhooks(gates, quirks);
    return { mutate, validate };
  };
}

export function denyIf(isDenied: (input: WebhookInput) => boolean): WebhookDefect {
  return changeResponse("validate", (response, input) =>
    isDenied(input)
      ? { uid: response.uid, allowed: false, status: { message: "it is wrong", code: 422 } }
      : response,
  );
}

/** The validating webhook returns another status in its denials. Without a status, it admits the object. */
export function changeDenials(
  change: (status: Untyped, input: WebhookInput) => Untyped | undefined,
): WebhookDefect {
  return changeResponse("validate", (response, input) => {
    if (response.allowed) return response;
    const status = change(response.status, input);
    return { uid: response.uid, allowed: !status, ...(status && { status }) };
  });
}

/** The validating webhook lacks a check: it admits objects that our own one denies with a message. */
export function admitDespite(
  message: RegExp,
  isAdmitted: (input: WebhookInput) => boolean = () => true,
): WebhookDefect {
  return changeDenials((status, input) =>
    message.test(status.message) && isAdmitted(input) ? undefined : status,
  );
}

/** The mutating webhook returns another patch for the object. */
export function changePatch(
  change: (patch: readonly Untyped[], object: Untyped) => readonly Untyped[],
): WebhookDefect {
  return changeResponse("mutate", (response, { object }) => {
    if (!response.allowed) return response;
    const { patch: own = [], patchType: _, ...others } = response;
    const patch = change(own, object);
    return { ...others, ...(patch.length > 0 && { patchType: "JSONPatch", patch }) };
  });
}

export const addToPatch = (createOperations: (object: Untyped) => readonly Untyped[]) =>
  changePatch((patch, object) => [...patch, ...createOperations(object)]);

export const omitFromPatch = (isOmitted: (operation: Untyped, object: Untyped) => boolean) =>
  changePatch((patch, object) => patch.filter((operation) => !isOmitted(operation, object)));

/** The mutating webhook treats updates as creations, but sends only some operations. */
export function patchUpdates(isSent: (operation: Untyped) => boolean): WebhookDefect {
  const treatAsCreation = misreadInStage("mutate", (input) => {
    input.operation = "CREATE";
  });
  return (own) => omitFromPatch((one) => !isSent(one))({ ...own, ...treatAsCreation(own) });
}
