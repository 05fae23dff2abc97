import type { IncomingMessage } from "node:http";
import * as https from "node:https";
import { setTimeout } from "node:timers/promises";
import { collectionPath, type ObjectKey, objectPath } from "@jobset-ts/core";
import type { ControlPlane } from "./control-plane.ts";

/** An object as the API server has it; nobody here needs its types. */
// biome-ignore lint/suspicious/noExplicitAny: what is read is compared with what is expected
export type Stored = any;

/** A refusal of the API server. */
export class Refused extends Error {
  readonly code: number;
  readonly reason: string;

  constructor(code: number, reason: string, message: string) {
    super(message);
    this.code = code;
    this.reason = reason;
  }
}

const kinds: Readonly<Record<string, string>> = {
  JobSet: "jobset.x-k8s.io/v1alpha2",
  Job: "batch/v1",
  Pod: "v1",
  Service: "v1",
  PersistentVolumeClaim: "v1",
  Node: "v1",
  Namespace: "v1",
  Event: "events.k8s.io/v1",
  Lease: "coordination.k8s.io/v1",
  CustomResourceDefinition: "apiextensions.k8s.io/v1",
  MutatingWebhookConfiguration: "admissionregistration.k8s.io/v1",
  ValidatingWebhookConfiguration: "admissionregistration.k8s.io/v1",
};

/** What a user does with a cluster, as an administrator of it. */
export class Cluster {
  readonly #plane: ControlPlane;
  readonly #agent = new https.Agent({ keepAlive: true, maxSockets: 64, rejectUnauthorized: false });

  constructor(plane: ControlPlane) {
    this.#plane = plane;
  }

  create(object: Stored): Promise<Stored> {
    return this.#send("POST", collectionPath(keyOf(object)), object);
  }

  /** Creates an object, or merges it into the one of its name. */
  async apply(object: Stored): Promise<Stored> {
    try {
      return await this.create(object);
    } catch (error) {
      if (!(error instanceof Refused) || error.reason !== "AlreadyExists") throw error;
      return this.#send("PATCH", objectPath(keyOf(object)), object);
    }
  }

  async get(kind: string, namespace: string, name: string): Promise<Stored | undefined> {
    try {
      return await this.#send("GET", objectPath(key(kind, namespace, name)));
    } catch (error) {
      if (error instanceof Refused && error.code === 404) return undefined;
      throw error;
    }
  }

  async list(kind: string, namespace = ""): Promise<readonly Stored[]> {
    const { items } = await this.#send("GET", collectionPath(key(kind, namespace, "")));
    return items.map((item: Stored) => ({ ...item, kind }));
  }

  /** @param subresource - such as `status` */
  patch(object: Stored, patch: Stored, subresource = ""): Promise<Stored> {
    const path = objectPath(keyOf(object)) + (subresource && `/${subresource}`);
    return this.#send("PATCH", path, patch);
  }

  delete(kind: string, namespace: string, name: string): Promise<Stored> {
    return this.#send("DELETE", objectPath(key(kind, namespace, name)));
  }

  /** Evicts a Pod, as draining its node does. */
  async evict(pod: Stored): Promise<void> {
    const { namespace, name } = pod.metadata;
    const eviction = { apiVersion: "policy/v1", kind: "Eviction", metadata: { namespace, name } };
    await this.#send("POST", `${objectPath(keyOf(pod))}/eviction`, eviction);
  }

  /** Deletes an object without its time of grace, as a kubelet does that has ended a Pod. */
  async end(object: Stored): Promise<void> {
    await this.#send("DELETE", objectPath(keyOf(object)), {
      apiVersion: "v1",
      kind: "DeleteOptions",
      gracePeriodSeconds: 0,
    });
  }

  /** Sends a request, and again while the API server is away or only just coming up. */
  async #send(method: string, path: string, body?: Stored): Promise<Stored> {
    for (const deadline = Date.now() + AWAY_MS; ; await setTimeout(200)) {
      try {
        return await this.#sendOnce(method, path, body);
      } catch (error) {
        if (Date.now() > deadline || (error instanceof Refused && !isComingUp(error))) throw error;
      }
    }
  }

  #sendOnce(method: string, path: string, body?: Stored): Promise<Stored> {
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
      const options = { method, headers, agent: this.#agent, timeout: 30_000 };
      const request = https.request(this.#plane.server + path, options, (response) => {
        answerOf(response).then(resolve, reject);
      });
      request.on("timeout", () => request.destroy(new Error(`${method} ${path}: no answer`)));
      request.on("error", reject);
      request.end(text);
    });
  }
}

/** How long the API server may be away before a request fails. */
const AWAY_MS = 30_000;

function isComingUp({ code, message }: Refused): boolean {
  const isYoung = /before all known HTTP paths have been installed|\(re\)initializing/.test(
    message,
  );
  return code === 429 || code === 503 || isYoung;
}

async function answerOf(response: IncomingMessage): Promise<Stored> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  const answer = JSON.parse(Buffer.concat(chunks).toString("utf8"));
  const code = response.statusCode ?? 0;
  if (code >= 200 && code < 300) return answer;
  throw new Refused(code, answer.reason, answer.message);
}

/**
 * Waits until something holds.
 *
 * @param what - for the error: what was waited for
 * @param holds - answers with what to go on with, or `undefined` (also by throwing) when it does not hold yet
 */
export async function eventually<Value>(
  what: string,
  holds: () => Promise<Value | undefined | false>,
  withinMs = 60_000,
): Promise<Value> {
  let last = "";
  for (const deadline = Date.now() + withinMs; ; ) {
    try {
      const value = await holds();
      if (value !== undefined && value !== false) return value;
    } catch (error) {
      last = error instanceof Error ? `: ${error.message}` : "";
    }
    if (Date.now() > deadline) throw new Error(`${what} within ${withinMs / 1000} s${last}`);
    await setTimeout(100);
  }
}

function keyOf({ apiVersion, kind, metadata: { namespace = "", name } }: Stored): ObjectKey {
  return { apiVersion: apiVersion ?? kinds[kind], kind, namespace, name };
}

function key(kind: string, namespace: string, name: string): ObjectKey {
  const apiVersion = kinds[kind];
  if (apiVersion === undefined) throw new TypeError(`of which API is ${kind}?`);
  return { apiVersion, kind, namespace, name };
}
