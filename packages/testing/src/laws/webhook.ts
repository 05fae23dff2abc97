import type {
  MutationResult,
  ReviewResult,
  ValidationResult,
  WebhookRequest,
} from "@jobset-ts/admission";
import type { WebRequest, WebResponse } from "@jobset-ts/admission/http";
import { createJsonPatch, encodeBase64 } from "@jobset-ts/admission/patch";
import type { KubernetesObject } from "@jobset-ts/api/kubernetes";
import { type Context, createContext, createSnapshot, type Snapshot } from "@jobset-ts/core";

/**
 * A webhook in any language that maps an AdmissionReview in JSON to an AdmissionReview in JSON.
 *
 * @param review - an AdmissionReview of `admission.k8s.io/v1` with its request, as an API server sends it
 * @param cluster - all objects in the cluster: Jobs, Pods, Nodes, PersistentVolumeClaims and Events
 * @returns the AdmissionReview with its response. Any other value violates every law, and so does an exception
 */
export type WebhookSubject = (
  review: AdmissionReviewInput,
  cluster: readonly KubernetesObject[],
) => unknown;

/** An AdmissionReview with its request. */
export interface AdmissionReviewInput {
  readonly apiVersion: "admission.k8s.io/v1";
  readonly kind: "AdmissionReview";
  readonly request: {
    readonly uid: string;
    readonly kind: { readonly group: string; readonly version: string; readonly kind: string };
    readonly operation: "CREATE" | "UPDATE" | "DELETE";
    readonly namespace: string;
    /** Null for a deletion. */
    readonly object: unknown;
    /** Null for a creation. */
    readonly oldObject: unknown;
    readonly [member: string]: unknown;
  };
}

/** A webhook that changes objects before they are stored. */
export interface MutatingWebhook {
  readonly mutate: WebhookSubject;
}

/** A webhook that admits or denies objects. */
export interface ValidatingWebhook {
  readonly validate: WebhookSubject;
  /** The feature gates of JobSet that are enabled in the webhook, such as `RestartJob`. Default none. */
  readonly features?: readonly string[];
}

/**
 * Both webhooks of a kind. To test only one, use the other one from {@link webhooksFromFunctions} with JobSet's
 * functions.
 */
export interface Webhooks extends MutatingWebhook, ValidatingWebhook {}

/**
 * Functions with the signatures of the webhooks in `@jobset-ts/admission`. They map a request and a snapshot to the
 * result.
 */
export interface WebhookFunctions {
  /** The mutating webhook. */
  readonly mutate: (
    request: WebhookRequest,
    snapshot: Snapshot,
    context: Context,
  ) => MutationResult<unknown>;
  /** The validating webhook. */
  readonly validate: (
    request: WebhookRequest,
    snapshot: Snapshot,
    context: Context,
  ) => ValidationResult;
}

const kinds = ["Pod", "Node", "Event", "PersistentVolumeClaim"];
const someContext = createContext({ now: "2026-02-07T06:56:19Z" });

/**
 * Creates webhooks from functions with the signatures of `@jobset-ts/admission`.
 *
 * @param context - with the gates and quirks for the functions
 * @example
 * import { mutatePod, validatePod } from "@jobset-ts/admission";
 * Object.keys(webhooksFromFunctions({ mutate: mutatePod, validate: validatePod })) // => ["mutate", "validate", "features"]
 */
export function webhooksFromFunctions(
  { mutate, validate }: WebhookFunctions,
  context: Context = someContext,
): Webhooks {
  const call =
    (respond: (request: WebhookRequest, snapshot: Snapshot) => object): WebhookSubject =>
    ({ request }, cluster) => ({
      apiVersion: "admission.k8s.io/v1",
      kind: "AdmissionReview",
      response: { uid: request.uid, ...respond(request, createSnapshot(cluster, { kinds })) },
    });
  return {
    mutate: call((request, snapshot) => {
      const result = mutate(request, snapshot, context);
      if (!result.allowed) return { allowed: false, status: result.denial.status };
      const patch = result.changed ? createJsonPatch(request.object, result.object) : [];
      if (patch.length === 0) return { allowed: true };
      return {
        allowed: true,
        patchType: "JSONPatch",
        patch: encodeBase64(JSON.stringify(patch)),
      };
    }),
    validate: call((request, snapshot) => {
      const result = validate(request, snapshot, context);
      return result.allowed ? { allowed: true } : { allowed: false, status: result.denial.status };
    }),
    features: [...context.features],
  };
}

/**
 * Creates webhooks from a function with the signature of `review` in `@jobset-ts/admission`.
 *
 * @param context - with the gates and quirks for the function
 */
export function webhooksFromReview(
  review: (
    admissionReview: unknown,
    snapshot: Snapshot,
    context: Context,
    options: { readonly stage: "mutate" | "validate" },
  ) => ReviewResult,
  context: Context = someContext,
): Webhooks {
  const call =
    (stage: "mutate" | "validate"): WebhookSubject =>
    (sent, cluster) =>
      review(sent, createSnapshot(cluster, { kinds }), context, { stage }).response;
  return { mutate: call("mutate"), validate: call("validate"), features: [...context.features] };
}

/**
 * Creates a webhook from an HTTP handler with web types, as `handler` of `@jobset-ts/admission/http` creates it.
 *
 * @param handlerFor - makes the handler of a cluster
 * @param path - where it has the webhook, such as `/mutate--v1-pod`
 */
export function webhookFromHandler(
  handlerFor: (snapshot: Snapshot) => (request: WebRequest) => Promise<WebResponse>,
  path: string,
): WebhookSubject {
  return async (review, cluster) => {
    const serve = handlerFor(createSnapshot(cluster, { kinds }));
    const response = await serve(createRequest(`https://webhook${path}?timeout=10s`, review));
    const text = await (response as { text(): Promise<string> }).text();
    return JSON.parse(text);
  };
}

function createRequest(url: string, body: unknown): WebRequest {
  const pieces = [encodeAsUtf8(JSON.stringify(body))];
  const read = async () => {
    const value = pieces.shift();
    return value === undefined ? { done: true } : { done: false, value };
  };
  const headers = { get: (name: string) => (name === "content-type" ? "application/json" : null) };
  return {
    url,
    method: "POST",
    headers,
    body: { getReader: () => ({ read, cancel: async () => {} }) },
  };
}

/** JSON can represent every character in ASCII. */
function encodeAsUtf8(json: string): Uint8Array {
  const ascii = json.replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return Uint8Array.from(ascii, (character) => character.charCodeAt(0));
}

/** The part of the web `fetch` that {@link webhookAtUrl} needs. */
export type FetchJson = (
  url: string,
  init: {
    readonly method: "POST";
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  },
) => Promise<{
  readonly status: number;
  /** Returns the whole body. */
  text(): Promise<string>;
}>;

/** Options of {@link webhookAtUrl}. */
export interface WebhookUrlOptions {
  /** Usually the global `fetch`. It is passed in, because the library does not use globals. */
  readonly fetch: FetchJson;
  /**
   * Awaited before each review, for a server with its own view of the cluster. Replaces the contents of the cluster
   * with these objects.
   */
  readonly arrange?: (objects: readonly KubernetesObject[]) => unknown;
}

/**
 * Creates a webhook that sends each review to a URL, as an API server does.
 *
 * @param url - the URL of one webhook; `fetch` verifies the certificate of an `https` URL
 * @example
 * const fetch = async () => ({ status: 503, text: async () => "not ready" });
 * await webhookAtUrl("http://127.0.0.1:9443/mutate--v1-pod", { fetch })({}, []).catch(({ message }) => message) // => "HTTP status 503: not ready"
 */
export function webhookAtUrl(
  url: string,
  { fetch: send, arrange }: WebhookUrlOptions,
): WebhookSubject {
  return async (review, cluster) => {
    await arrange?.(cluster);
    const headers = { "content-type": "application/json" };
    const result = await send(url, { method: "POST", headers, body: JSON.stringify(review) });
    const text = await result.text();
    if (result.status !== 200) throw new Error(`HTTP status ${result.status}: ${text}`);
    return JSON.parse(text);
  };
}
