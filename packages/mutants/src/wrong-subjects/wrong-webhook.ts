// Our webhooks with a defect: they read another request, or return another response.
import type { KubernetesObject } from "@jobset-ts/api/kubernetes";
import type { AdmissionReviewInput, Webhooks } from "@jobset-ts/testing/admission";
import { edit, get, type Place, type Untyped } from "../edit.ts";
import { changeReviews, type Stage, type WebhookInput } from "../webhooks.ts";
import type { Defect } from "./wrong-subject.ts";

type WebhookDefect = Defect<Webhooks>;

export const isCreation = ({ operation }: WebhookInput) => operation === "CREATE";
export const isUpdate = ({ operation }: WebhookInput) => operation === "UPDATE";

/** One of the webhooks reads a changed copy of its input. */
const misreadInput =
  (stage: Stage, change: (input: WebhookInput) => unknown): WebhookDefect =>
  (own) => ({
    ...own,
    [stage]: (review: AdmissionReviewInput, objects: readonly KubernetesObject[]) => {
      const input: Untyped = structuredClone({ ...review.request, cluster: [...objects] });
      change(input);
      const { cluster, ...request } = input;
      return own[stage]({ ...review, request }, cluster);
    },
  });

/** Returns what a webhook reads instead of a value. The other value of a value in `object` is the old one. */
type Misread = (value: Untyped, context: WebhookInput & Place) => Untyped;

/** The validating webhook reads other values at a path of its input, such as `object.spec.suspend`. */
export const misread = (path: string, change: Misread) =>
  misreadInput("validate", (input) =>
    edit(input, path, (value, place) => change(value, { ...input, ...place }), {
      object: input.oldObject,
    }),
  );

/** Both webhooks read a changed copy of the cluster. */
export const misreadCluster =
  (change: (input: WebhookInput) => unknown): WebhookDefect =>
  (own) =>
    misreadInput("validate", change)(misreadInput("mutate", change)(own));

const changeResponse =
  (stage: Stage, change: (response: Untyped, input: WebhookInput) => Untyped): WebhookDefect =>
  (own) =>
    changeReviews(own, stage, ({ response, ...rest }, input) => ({
      ...rest,
      response: change(response, input),
    }));

export const denyIf = (isDenied: (input: WebhookInput) => unknown) =>
  changeResponse("validate", (response, input) =>
    isDenied(input)
      ? { uid: response.uid, allowed: false, status: { message: "it is wrong", code: 422 } }
      : response,
  );

/** The validating webhook lacks a check: it admits what our own one denies with a message. */
export const admitDespite = (
  message: RegExp,
  isAdmitted: (input: WebhookInput) => unknown = () => true,
) =>
  changeResponse("validate", (response, input) =>
    !response.allowed && message.test(response.status.message) && isAdmitted(input)
      ? { uid: response.uid, allowed: true }
      : response,
  );

/** The mutating webhook returns another patch. */
const changePatch = (
  change: (patch: readonly Untyped[], input: WebhookInput) => readonly Untyped[],
) =>
  changeResponse("mutate", (response, input) => {
    if (!response.allowed) return response;
    const { patch: own = [], patchType: _, ...others } = response;
    const patch = change(own, input);
    return { ...others, ...(patch.length > 0 && { patchType: "JSONPatch", patch }) };
  });

export const omitFromPatch = (isOmitted: (operation: Untyped, input: WebhookInput) => unknown) =>
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
export const patchUpdates = (isSent: (operation: Untyped) => boolean): WebhookDefect => {
  const treatAsCreation = misreadInput("mutate", (input) => {
    input.operation = "CREATE";
  });
  const omitOthers = omitFromPatch((operation) => !isSent(operation));
  return (own) => omitOthers(treatAsCreation(own));
};
