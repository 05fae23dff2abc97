// Our webhooks with a defect: they read another request, or return another response.
import type { KubernetesObject } from "@jobset-ts/api/kubernetes";
import type { AdmissionReviewInput, Webhooks } from "@jobset-ts/testing/admission";
import { get, type Untyped } from "../edit.ts";
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

const misreadInStage =
  (stage: Stage, change: (input: WebhookInput) => unknown): WebhookDefect =>
  (own) => ({
    [stage]: (review: AdmissionReviewInput, objects: readonly KubernetesObject[]) => {
      const input: Untyped = structuredClone({ ...review.request, cluster: [...objects] });
      change(input);
      const { cluster, ...request } = input;
      return own[stage]({ ...review, request }, cluster);
    },
  });

/** The validating webhook reads a changed copy of its input. */
export const misread = (change: (input: WebhookInput) => unknown) =>
  misreadInStage("validate", change);

/** Both webhooks read a changed copy of the cluster. The object must stay the same, because the patch has to fit. */
export const misreadCluster =
  (change: (input: WebhookInput) => unknown): WebhookDefect =>
  (own) => ({
    ...misreadInStage("mutate", change)(own),
    ...misreadInStage("validate", change)(own),
  });

/** The webhooks behave as under a feature gate, but do not report it. */
export const withGate = (gate: string): WebhookDefect => {
  const { mutate, validate } = createOwnWebhooks([gate]);
  return () => ({ mutate, validate });
};

const changeResponse =
  (stage: Stage, change: (response: Untyped, input: WebhookInput) => Untyped): WebhookDefect =>
  (own) => ({
    [stage]: async (review: AdmissionReviewInput, cluster: readonly KubernetesObject[]) => {
      const { response, ...rest } = decodeReview(await own[stage](review, cluster));
      const input = { ...(review.request as Untyped), cluster };
      return encodeReview({ ...rest, response: change(response, input) });
    },
  });

export const denyIf = (isDenied: (input: WebhookInput) => boolean) =>
  changeResponse("validate", (response, input) =>
    isDenied(input)
      ? { uid: response.uid, allowed: false, status: { message: "it is wrong", code: 422 } }
      : response,
  );

/** The validating webhook returns another status in its denials. Without a status, it admits the object. */
export const changeDenials = (change: (status: Untyped, input: WebhookInput) => Untyped) =>
  changeResponse("validate", (response, input) => {
    if (response.allowed) return response;
    const status = change(response.status, input);
    return { uid: response.uid, allowed: !status, ...(status && { status }) };
  });

/** The validating webhook lacks a check: it admits what our own one denies with a message. */
export const admitDespite = (
  message: RegExp,
  isAdmitted: (input: WebhookInput) => boolean = () => true,
) =>
  changeDenials((status, input) =>
    message.test(status.message) && isAdmitted(input) ? undefined : status,
  );

/** The mutating webhook returns another patch. */
export const changePatch = (
  change: (patch: readonly Untyped[], input: WebhookInput) => readonly Untyped[],
) =>
  changeResponse("mutate", (response, input) => {
    if (!response.allowed) return response;
    const { patch: own = [], patchType: _, ...others } = response;
    const patch = change(own, input);
    return { ...others, ...(patch.length > 0 && { patchType: "JSONPatch", patch }) };
  });

export const omitFromPatch = (isOmitted: (operation: Untyped, input: WebhookInput) => boolean) =>
  changePatch((patch, input) => patch.filter((operation) => !isOmitted(operation, input)));

/** The mutating webhook also sets a member, unless the value is undefined. */
export const setMember = (path: string, createValue: (input: WebhookInput) => Untyped) =>
  changePatch((patch, input) => {
    const value = createValue(input);
    return value === undefined ? patch : [...patch, { op: "add", path, value }];
  });

/** The mutating webhook also removes the members that exist at some paths, which are written with dots. */
export const dropMembers = (listPaths: (object: Untyped) => readonly string[]) =>
  changePatch((patch, { object }) => {
    const existing = listPaths(object).filter((path) => get(object, path) !== undefined);
    const pointers = existing.map((path) => `/${path.replaceAll(".", "/")}`);
    return [...patch, ...pointers.map((path) => ({ op: "remove", path }))];
  });

/** The mutating webhook treats updates as creations, but sends only some operations. */
export const patchUpdates =
  (isSent: (operation: Untyped) => boolean): WebhookDefect =>
  (own) => {
    const treatAsCreation = misreadInStage("mutate", (input) => {
      input.operation = "CREATE";
    });
    return omitFromPatch((operation) => !isSent(operation))({ ...own, ...treatAsCreation(own) });
  };
