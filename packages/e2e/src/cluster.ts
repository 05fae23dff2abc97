import type { IncomingMessage } from "node:http";
import * as https from "node:https";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { SNAPSHOT_KINDS } from "@jobset-ts/core";
import {
  clusterPath,
  collectionPath,
  objectPath,
  type RequestPath,
} from "@jobset-ts/core/requests";
import { type ControlPlane, READY_WITHIN_MS } from "./control-plane.ts";

/** An object as the API server returns it, without types. */
// biome-ignore lint/suspicious/noExplicitAny: the test compares the value with the expected one
export type Stored = any;

/** An error response of the API server. */
export class RejectedError extends Error {
  readonly code: number;
  readonly reason: string;

  constructor(code: number, reason: string, message: string) {
    super(message);
    this.code = code;
    this.reason = reason;
  }
}

/** The kinds that the library does not know, and Events in their newer form. */
const otherKinds: Readonly<Record<string, string>> = {
  ConfigMap: "v1",
  Namespace: "v1",
  Secret: "v1",
  Deployment: "apps/v1",
  ServiceAccount: "v1",
  Event: "events.k8s.io/v1",
  Lease: "coordination.k8s.io/v1",
  CustomResourceDefinition: "apiextensions.k8s.io/v1",
  MutatingWebhookConfiguration: "admissionregistration.k8s.io/v1",
  ValidatingWebhookConfiguration: "admissionregistration.k8s.io/v1",
  ValidatingAdmissionPolicyBinding: "admissionregistration.k8s.io/v1",
};

/** A change of an object. */
export interface WatchEvent {
  readonly type: "ADDED" | "MODIFIED" | "DELETED" | "ERROR";
  readonly object: Stored;
}

/** A client with administrator permissions. */
export class Cluster {
  readonly #plane: ControlPlane;
  readonly #agent = new https.Agent({ keepAlive: true, maxSockets: 64, rejectUnauthorized: false });

  constructor(plane: ControlPlane) {
    this.#plane = plane;
  }

  create(object: Stored): Promise<Stored> {
    return this.#send("POST", getCollection(object), object);
  }

  /** Creates an object, or merges it into the existing one. */
  async apply(object: Stored): Promise<Stored> {
    try {
      return await this.create(object);
    } catch (error) {
      if (!(error instanceof RejectedError) || error.reason !== "AlreadyExists") throw error;
      return this.#send("PATCH", getPath(object), object);
    }
  }

  async get(kind: string, namespace: string, name: string): Promise<Stored | undefined> {
    try {
      return await this.#send("GET", getPath(createReference(kind, namespace, name)));
    } catch (error) {
      if (error instanceof RejectedError && error.code === 404) return undefined;
      throw error;
    }
  }

  /** @param namespace - if absent, all namespaces */
  async list(kind: string, namespace?: string): Promise<readonly Stored[]> {
    const { items } = await this.#send("GET", getCollection(createReference(kind, namespace)));
    return items.map((item: Stored) => ({ ...item, kind }));
  }

  /**
   * Reports the existing objects of a kind, then all changes. After a lost connection it starts again, so it can miss
   * only objects that were created and deleted in between.
   */
  async follow(
    kind: string,
    onEvent: (event: WatchEvent) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const path = clusterPath(served(kind));
    while (!signal.aborted) {
      try {
        const { items, metadata } = await this.#send("GET", path);
        for (const item of items) onEvent({ type: "ADDED", object: { ...item, kind } });
        const query = `watch=true&resourceVersion=${metadata.resourceVersion}`;
        for await (const event of formatLines(
          await this.#open("GET", `${path}?${query}`, { signal }),
        )) {
          if (event.type === "ERROR") break;
          onEvent(event);
        }
      } catch {
        // The server is unavailable, or the signal is aborted.
      }
      await setTimeout(100);
    }
  }

  /** @param subresource - such as `status` */
  patch(object: Stored, patch: Stored, subresource = ""): Promise<Stored> {
    const path = getPath(object) + (subresource && `/${subresource}`);
    return this.#send("PATCH", path, patch);
  }

  /** Returns the number of status writes of a kind, including rejected ones, from the API server's metrics. */
  async statusWrites(resource: string): Promise<number> {
    let writes = 0;
    const counted = new RegExp(`^apiserver_request_total{.*resource="${resource}",.*} (\\d+)$`);
    for await (const line of createInterface({ input: await this.#open("GET", "/metrics", {}) })) {
      const [, count = "0"] = counted.exec(line) ?? [];
      if (/subresource="status"/.test(line) && /verb="(PUT|PATCH)"/.test(line))
        writes += Number(count);
    }
    return writes;
  }

  delete(kind: string, namespace: string, name: string): Promise<Stored> {
    return this.#send("DELETE", getPath(createReference(kind, namespace, name)));
  }

  /** Binds a Pod to a node, as a scheduler does. */
  async bind(pod: Stored, node: string): Promise<void> {
    const { namespace, name } = pod.metadata;
    const target = { apiVersion: "v1", kind: "Node", name: node };
    const binding = { apiVersion: "v1", kind: "Binding", metadata: { namespace, name }, target };
    await this.#send("POST", `${getPath(pod)}/binding`, binding);
  }

  /** Creates a token of a service account, as a Pod gets it. */
  async token(namespace: string, name: string): Promise<string> {
    const path = `${getPath(createReference("ServiceAccount", namespace, name))}/token`;
    const request = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} };
    return (await this.#send("POST", path, request)).status.token;
  }

  /** Evicts a Pod, as `kubectl drain` does. */
  async evict(pod: Stored): Promise<void> {
    const { namespace, name } = pod.metadata;
    const eviction = { apiVersion: "policy/v1", kind: "Eviction", metadata: { namespace, name } };
    await this.#send("POST", `${getPath(pod)}/eviction`, eviction);
  }

  /** Deletes an object without a grace period, as a kubelet does after a Pod has stopped. */
  async end(object: Stored): Promise<void> {
    await this.#send("DELETE", getPath(object), {
      apiVersion: "v1",
      kind: "DeleteOptions",
      gracePeriodSeconds: 0,
    });
  }

  /** Sends a request, and repeats it while the API server is unavailable or starting. */
  #send(method: string, path: string, body?: Stored): Promise<Stored> {
    return sendWithRetries({
      method,
      send: () => this.#sendOnce(method, path, body),
      read: () => this.#send("GET", getPath(body)),
    });
  }

  async #sendOnce(method: string, path: string, body?: Stored): Promise<Stored> {
    return readResponse(await this.#open(method, path, { body }));
  }

  #open(
    method: string,
    path: string,
    { body, signal }: { readonly body?: Stored; readonly signal?: AbortSignal },
  ): Promise<IncomingMessage> {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const contentType = method === "PATCH" ? "application/merge-patch+json" : "application/json";
    const headers = {
      authorization: `Bearer ${this.#plane.token}`,
      ...(text !== undefined && {
        "content-type": contentType,
        "content-length": Buffer.byteLength(text),
      }),
    };
    return new Promise((resolve, reject) => {
      const options = { method, headers, agent: this.#agent, ...(signal && { signal }) };
      // The library knows the plural names of the kinds in plans.
      const url = this.#plane.server + path.replace(/policys\b/, "policies");
      const request = https.request(url, options, resolve);
      if (signal === undefined) request.setTimeout(30_000);
      request.on("timeout", () => request.destroy(new Error(`${method} ${path}: no answer`)));
      request.on("error", reject);
      request.end(text);
    });
  }
}

/**
 * Returns the response to a request that is repeated while the API server is unavailable or starting. If an earlier
 * attempt succeeded but its response was lost, the object to create exists, or the object to delete is gone.
 */
export async function sendWithRetries({
  method,
  send,
  read,
}: {
  readonly method: string;
  send(): Promise<Stored>;
  /** Reads the object to create. */
  read(): Promise<Stored>;
}): Promise<Stored> {
  let isAnswerLost = false;
  // The API server may be unavailable for as long as its startup may take.
  for (const deadline = Date.now() + READY_WITHIN_MS; ; await setTimeout(200)) {
    try {
      return await send();
    } catch (error) {
      const isRejected = error instanceof RejectedError;
      if (isRejected && isAnswerLost && error.reason === reasonIfRepeated[method]) {
        return method === "POST" ? read() : {};
      }
      if (Date.now() > deadline || (isRejected && !isStarting(error))) throw error;
      isAnswerLost ||= !isRejected;
    }
  }
}

/** The error reason that shows that an earlier attempt of the request succeeded. */
const reasonIfRepeated: Readonly<Record<string, string>> = {
  POST: "AlreadyExists",
  DELETE: "NotFound",
};

function isStarting({ code, message }: RejectedError): boolean {
  const isYoung = /before all known HTTP paths have been installed|\(re\)initializing/.test(
    message,
  );
  return code === 429 || code === 503 || isYoung;
}

/** Parses the events of a watch, one per line. */
async function* formatLines(response: IncomingMessage): AsyncGenerator<WatchEvent> {
  for await (const line of createInterface({ input: response })) yield JSON.parse(line);
}

async function readResponse(response: IncomingMessage): Promise<Stored> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  const body = JSON.parse(Buffer.concat(chunks).toString("utf8"));
  const code = response.statusCode ?? 0;
  if (code >= 200 && code < 300) return body;
  throw new RejectedError(code, body.reason, body.message);
}

/**
 * The Job controller waits up to five minutes for a Pod that it created and has not seen. This happens if the Pod is
 * deleted before a broken watch is restored. Meanwhile, it creates no other Pod. The limit is longer than that.
 */
export const MAX_WAIT_MS = 420_000;

/**
 * Waits until a condition holds.
 *
 * @param expected - the expected condition, for the error message
 * @param holds - returns the result, or `undefined` if the condition does not hold yet; it may also throw
 */
export async function eventually<Value>(
  expected: string,
  holds: () => Promise<Value | undefined | false>,
  withinMs = MAX_WAIT_MS,
): Promise<Value> {
  let last = "";
  for (const deadline = Date.now() + withinMs; ; ) {
    try {
      const value = await holds();
      if (value !== undefined && value !== false) return value;
    } catch (error) {
      last = error instanceof Error ? `: ${error.message}` : "";
    }
    if (Date.now() > deadline) throw new Error(`${expected} within ${withinMs / 1000} s${last}`);
    await setTimeout(100);
  }
}

/** Returns the API path of an object. A missing or empty namespace means that it is cluster-scoped. */
function getPath({ apiVersion, kind, metadata: { namespace, name } }: Stored): string {
  return requirePath(
    objectPath({ ...served(kind, apiVersion), ...(namespace && { namespace }), name }),
  );
}

/** Returns the path of all objects of a kind in the object's namespace, in the cluster, or in all namespaces. */
function getCollection({ apiVersion, kind, metadata: { namespace } }: Stored): string {
  const kindServed = served(kind, apiVersion);
  return namespace
    ? requirePath(collectionPath({ ...kindServed, namespace }))
    : clusterPath(kindServed);
}

function requirePath(path: RequestPath): string {
  if (!path.ok) throw new TypeError(path.error.message);
  return path.path;
}

function createReference(kind: string, namespace?: string, name?: string): Stored {
  return { kind, metadata: { namespace, name } };
}

function served(
  kind: string,
  apiVersion = otherKinds[kind] ?? SNAPSHOT_KINDS.get(kind)?.apiVersion,
) {
  if (apiVersion === undefined) throw new TypeError(`unknown API group of kind ${kind}`);
  return { apiVersion, kind };
}
