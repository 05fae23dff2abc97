import { JOBSET_NAME_KEY } from "@jobset-ts/api/keys";
import { createContext, createSnapshot } from "@jobset-ts/core";
import { aPod } from "@jobset-ts/testing";
import { createWebhookHandler, type WebhookHandlerOptions } from "../handler.ts";
import type { WebRequest, WebSignal } from "../web.ts";

// The parts of the runtime's own classes that this file uses.
declare const Request: new (url: string, init: object) => WebRequest;
declare const AbortSignal: { timeout(milliseconds: number): WebSignal };

export const server = "https://127.0.0.1:9443";
export const jobSetPath = "/validate-jobset-x-k8s-io-v1alpha2-jobset";
export const podPath = "/validate--v1-pod";
export const context = createContext({ now: "2026-11-21T12:00:00Z" });
/** The only Pod of the handler's cluster. */
export const leader = aPod("train-w-0-0-abcde").exclusive("rack").onNode("n1");
export const follower = aPod("train-w-0-1-fghij")
  .withAnnotations({ [JOBSET_NAME_KEY]: "train" })
  .exclusive("rack");

export const podRequest = {
  kind: { group: "", version: "v1", kind: "Pod" },
  object: follower as object,
};
export const jobSetRequest = {
  kind: { group: "jobset.x-k8s.io", version: "v1alpha2", kind: "JobSet" },
  object: { metadata: { name: "js" }, spec: {} } as object,
};

/** Returns an AdmissionReview as text. By default, it creates the follower. */
export function reviewText(
  request: object = { kind: { group: "", version: "v1", kind: "Pod" }, object: follower },
): string {
  return JSON.stringify({
    apiVersion: "admission.k8s.io/v1",
    kind: "AdmissionReview",
    request: { uid: "u-1", operation: "CREATE", ...request },
  });
}

/** Creates the handler for a cluster with the leader Pod. */
export function createHandler(options: Partial<WebhookHandlerOptions> = {}) {
  return createWebhookHandler({
    readSnapshot: () => createSnapshot([leader], { kinds: ["Pod", "Node", "Event"] }),
    context,
    deadline: () => AbortSignal.timeout(10_000),
    ...options,
  });
}

/** Returns the HTTP status with which the handler responds. */
export async function getStatus(request: WebRequest, options: Partial<WebhookHandlerOptions> = {}) {
  return (await createHandler(options)(request)).status;
}

/** Creates a request to a path of the webhook server. */
export function createPost(
  path: string,
  body: string | Uint8Array,
  headers: object = { "content-type": "application/json" },
) {
  return new Request(server + path, { method: "POST", body, headers });
}

/** Creates a request without a body, and with a header that a `Request` rejects. */
export function createBareRequest(path: string, length: string | null) {
  const headers = new Map<string, string | null>([
    ["content-type", "application/json"],
    ["content-length", length],
  ]);
  return {
    url: server + path,
    method: "POST",
    headers: { get: (name: string) => headers.get(name) ?? null },
    body: null,
  };
}
