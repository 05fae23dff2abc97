import { mutatePod, validatePod } from "@jobset-ts/admission";
import { JOBSET_NAME_KEY } from "@jobset-ts/api/keys";
import { createContext, type Quirk } from "@jobset-ts/core";
import { type WebhookSubject, type Webhooks, webhooksFromFunctions } from "../webhook.ts";

// biome-ignore lint/suspicious/noExplicitAny: wrong webhooks use values of the wrong type
export type AnyObject = any;

/** The webhooks of jobset-ts. */
export const correctWebhooks = webhooksFromFunctions({ mutate: mutatePod, validate: validatePod });

/** Returns the webhooks of jobset-ts with quirks. */
export const webhooksWithQuirks = (...quirks: readonly Quirk[]) =>
  webhooksFromFunctions(
    { mutate: mutatePod, validate: validatePod },
    createContext({ now: 0, quirks }),
  );

/** A webhook that allows every request and changes nothing. */
export function allowRequest({ request: { uid } }: Parameters<WebhookSubject>[0]) {
  return createReview({ uid, allowed: true });
}

export function createReview(response: object) {
  return { apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", response };
}

/** Calls the webhooks of jobset-ts with another Pod or another cluster. */
export function callWebhook(
  webhook: WebhookSubject,
  [review, cluster]: Parameters<WebhookSubject>,
  change: {
    readonly pod?: (pod: AnyObject) => AnyObject;
    readonly cluster?: (objects: AnyObject[]) => AnyObject[];
  },
) {
  const { object } = review.request;
  const request = { ...review.request, object: change.pod?.(object) ?? object };
  return webhook({ ...review, request }, change.cluster?.([...cluster]) ?? cluster);
}

export function changeAnnotations(
  pod: AnyObject,
  annotate: (annotations: AnyObject) => AnyObject,
): AnyObject {
  return {
    ...pod,
    metadata: { ...pod?.metadata, annotations: annotate(pod?.metadata?.annotations) },
  };
}

/** Adds the annotation of a Pod of JobSet `train`. */
export function podOfTrain(annotations: AnyObject) {
  return { ...annotations, [JOBSET_NAME_KEY]: "train" };
}

/** Hides one relevant property from the webhooks of jobset-ts. */
export function webhooksIgnoring(
  what: "owner" | "deletion" | "phase" | "second" | "namespace" | "pending",
): Webhooks {
  const seen = new Set<string>();
  const changeView = (one: AnyObject): AnyObject[] => {
    const { metadata, status } = one;
    const so = {
      owner: [{ ...one, metadata: { ...metadata, ownerReferences: sameOwner } }],
      deletion: [{ ...one, metadata: { ...metadata, deletionTimestamp: undefined } }],
      phase: [{ ...one, status: {} }],
      second: isFirst(metadata, seen) ? [one] : [],
      namespace: [
        { ...one, metadata: { ...metadata, namespace: "default", ownerReferences: sameOwner } },
      ],
      pending: status.phase === "Running" ? [one] : [],
    };
    return so[what];
  };
  const cluster = (objects: AnyObject[]): AnyObject[] => {
    seen.clear();
    return objects.flatMap((one) => (one.kind === "Pod" ? changeView(one) : [one]));
  };
  const pod = (one: AnyObject) => {
    const isBlind = what === "owner" || what === "namespace";
    return isBlind ? { ...one, metadata: { ...one.metadata, ownerReferences: sameOwner } } : one;
  };
  return {
    // Only the cluster differs, so the patch applies to the Pod in the request.
    mutate: (...args) =>
      what === "owner"
        ? callWebhook(correctWebhooks.mutate, args, { cluster, pod })
        : callWebhook(correctWebhooks.mutate, args, { cluster }),
    validate: (...args) => callWebhook(correctWebhooks.validate, args, { cluster, pod }),
  };
}

function isFirst({ namespace, name }: AnyObject, seen: Set<string>): boolean {
  const stem = `${namespace}/${name.replace(/[^-]+$/, "")}`;
  if (seen.has(stem)) return false;
  seen.add(stem);
  return true;
}

const sameOwner = [
  { apiVersion: "batch/v1", kind: "Job", name: "some", uid: "same", controller: true },
];
