import * as http from "node:http";
import * as https from "node:https";
import type { AddressInfo } from "node:net";
import { applyMergePatch, type KubernetesObject } from "@jobset-ts/api/kubernetes";
import { SNAPSHOT_KINDS } from "@jobset-ts/core";
import { clusterPath } from "@jobset-ts/core/requests";
import { applyStrategicMergePatch } from "../../../core/src/testing/reference/apply-strategic-merge-patch.ts";
import { createRejection, type FakeResponse, type Fault, send } from "./fake-responses.ts";

// biome-ignore lint/suspicious/noExplicitAny: tests read single members of objects
export type StoredObject = KubernetesObject & Record<string, any>;

interface PlannedFault {
  readonly matches: (request: http.IncomingMessage) => boolean;
  readonly fault: Fault;
  times: number;
  answered: number;
}

interface Change {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly object: StoredObject;
  readonly version: number;
}

interface ReceivedRequest {
  readonly method: string;
  /** The content type, which defines the format of a patch. */
  readonly type: string;
  readonly path: string;
  readonly subresource: string;
  readonly body: StoredObject;
}

interface Watch {
  readonly collection: string;
  readonly response: http.ServerResponse;
}

/**
 * An API server in this process: it stores objects, lists them in pages, sends changes to watches, and rejects outdated
 * writes. It has no controllers. A {@link Fault} can replace any response.
 */
export class FakeApiServer {
  /** All requests as `<method> <path>`, and watches as `WATCH <path>`. */
  readonly requests: string[] = [];
  /** Called when a request arrives. */
  onRequest: (line: string) => void = () => {};
  /** The headers of the last request. */
  lastHeaders: http.IncomingHttpHeaders = {};
  /** Whether a watch starts with a bookmark. A real server sends one about every minute, if at all. */
  sendsBookmarks = true;
  /** Removes fields that an older CRD does not define from a JobSet's status. */
  prune: (status: Record<string, unknown>) => void = () => {};
  /** The served collections. Other paths return 404. */
  readonly served = new Set<string>(
    [
      ...SNAPSHOT_KINDS.values(),
      { apiVersion: "coordination.k8s.io/v1", kind: "Lease" },
      { apiVersion: "events.k8s.io/v1", kind: "Event" },
    ].map(clusterPath),
  );
  readonly #objects = new Map<string, StoredObject>();
  readonly #changes: Change[] = [];
  readonly #watches = new Set<Watch>();
  #faults: PlannedFault[] = [];
  #server: http.Server | https.Server;
  readonly #tls: https.ServerOptions | undefined;
  #version = 100;
  #forgotten = 0;
  #port = 0;

  /** @param tls - the options for HTTPS; without them, the server uses plain HTTP */
  constructor(tls?: https.ServerOptions) {
    this.#tls = tls;
    this.#server = this.#newServer();
  }

  get url(): string {
    return `${this.#tls ? "https" : "http"}://127.0.0.1:${this.#port}`;
  }

  get openSockets(): Promise<number> {
    return new Promise((resolve) => this.#server.getConnections((_, count) => resolve(count)));
  }

  /** Replaces the server certificate. */
  showCertificate(certificate: { readonly cert: string; readonly key: string }): void {
    if (this.#server instanceof https.Server) this.#server.setSecureContext(certificate);
  }

  /** Starts to listen. After a stop it uses the same port again. */
  async start(): Promise<this> {
    if (this.#server.listening) return this;
    this.#server = this.#newServer();
    await new Promise<void>((resolve) =>
      this.#server.listen(this.#port, "127.0.0.1", () => resolve()),
    );
    this.#port = (this.#server.address() as AddressInfo).port;
    return this;
  }

  /** Closes all connections and stops listening. Stored objects remain. */
  async stop(): Promise<void> {
    if (!this.#server.listening) return;
    this.#watches.clear();
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  /** Returns the stored objects, of one kind or all. */
  objects(kind?: string): readonly StoredObject[] {
    const all = [...this.#objects.values()];
    return kind === undefined ? all : all.filter((object) => object.kind === kind);
  }

  /** Creates or replaces an object, as another client would. */
  put(object: KubernetesObject): StoredObject {
    const path = getPath(object);
    return this.#store(path, { ...this.#objects.get(path), ...object } as StoredObject);
  }

  /** Deletes an object, as another client would. */
  remove(object: KubernetesObject): void {
    const path = getPath(object);
    const before = this.#objects.get(path);
    if (before === undefined) return;
    this.#objects.delete(path);
    this.#sendToWatches("DELETED", path, before);
  }

  /** Drops the history of changes. A watch from an earlier resource version must list again. */
  compact(): void {
    this.#forgotten = this.#version;
  }

  /**
   * Responds with a fault to the next matching requests.
   *
   * @param requests - `<method> <path>`, with the method `WATCH` for watches; a string must match completely
   * @returns a function that returns the number of responses with the fault
   */
  injectFault(
    requests: string | RegExp,
    fault: Fault,
    times = Number.POSITIVE_INFINITY,
  ): () => number {
    const matches = (request: http.IncomingMessage) => {
      const line = formatLine(request);
      return typeof requests === "string" ? requests === line : requests.test(line);
    };
    const planned = { matches, fault, times, answered: 0 };
    this.#faults.push(planned);
    return () => planned.answered;
  }

  /** Removes all faults. */
  clearFaults(): void {
    this.#faults = [];
  }

  /** Sends text to all watches of a collection, and can cut their connections. */
  sendToWatches(collection: string, text: string, { thenCut = false } = {}): void {
    for (const watch of this.#watches) {
      if (watch.collection !== collection) continue;
      watch.response.write(text, () => {
        if (thenCut) watch.response.socket?.destroy();
      });
      if (thenCut) this.#watches.delete(watch);
    }
  }

  /** Ends all watches in order, as a server does every few minutes. */
  endWatches(): void {
    for (const { response } of this.#watches) response.end();
    this.#watches.clear();
  }

  #newServer(): http.Server | https.Server {
    const listener: http.RequestListener = (request, response) => {
      void this.#take(request, response).catch(() => response.destroy());
    };
    return this.#tls ? https.createServer(this.#tls, listener) : http.createServer(listener);
  }

  async #take(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    this.requests.push(formatLine(request));
    this.onRequest(formatLine(request));
    this.lastHeaders = request.headers;
    const planned = this.#faults.find(({ matches, times }) => times > 0 && matches(request));
    if (planned !== undefined) {
      planned.times -= 1;
      planned.answered += 1;
      request.resume();
      return planned.fault(request, response);
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    this.#respond(request, text === "" ? undefined : JSON.parse(text), response);
  }

  #respond(request: http.IncomingMessage, body: StoredObject, response: http.ServerResponse): void {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://server");
    const { collection, namespace, name, subresource } = splitParts(pathname);
    if (!this.served.has(collection)) {
      response.writeHead(404, { "content-type": "text/plain" }).end("404 page not found\n");
      return;
    }
    if (name === "" && request.method === "GET") {
      if (searchParams.has("watch")) this.#watch(collection, searchParams, response);
      else this.#list(collection, searchParams, response);
      return;
    }
    const path = `${collection} ${namespace}/${name || body?.metadata?.name}`;
    const { method = "GET", headers } = request;
    const type = headers["content-type"] ?? "";
    send(response, this.#applyRequest({ method, type, path, subresource, body }));
  }

  #applyRequest({ method, type, path, subresource, body }: ReceivedRequest): FakeResponse {
    const stored = this.#objects.get(path);
    if (method === "POST") {
      if (stored !== undefined) return createRejection(409, "AlreadyExists", `${path} exists`);
      return [201, this.#store(path, body)];
    }
    if (stored === undefined) return createRejection(404, "NotFound", `${path} is not found`);
    switch (method) {
      case "GET":
        return [200, stored];
      case "DELETE":
        this.#objects.delete(path);
        this.#sendToWatches("DELETED", path, stored);
        return [200, { kind: "Status", status: "Success" }];
      default: {
        const sent = method === "PATCH" ? (applyPatch(stored, type, body) as StoredObject) : body;
        const { resourceVersion } = sent.metadata;
        if (resourceVersion !== undefined && resourceVersion !== stored.metadata.resourceVersion) {
          return createRejection(409, "Conflict", `${path} has been modified`);
        }
        const next = subresource === "status" ? { ...stored, status: sent.status } : sent;
        if (stored.kind === "JobSet") this.prune(next.status);
        return [200, this.#store(path, next)];
      }
    }
  }

  #list(collection: string, query: URLSearchParams, response: http.ServerResponse): void {
    const all = [...this.#objects].filter(([path]) => path.startsWith(`${collection} `));
    const from = Number(query.get("continue") ?? 0);
    const to = from + Number(query.get("limit") ?? all.length);
    // List items have no kind.
    const items = all.slice(from, to).map(([, { apiVersion: _, kind: __, ...item }]) => item);
    const more = to < all.length ? { continue: String(to) } : {};
    const list = {
      kind: "List",
      metadata: { resourceVersion: `${this.#version}`, ...more },
      items,
    };
    send(response, [200, list]);
  }

  #watch(collection: string, query: URLSearchParams, response: http.ServerResponse): void {
    const since = Number(query.get("resourceVersion"));
    if (since < this.#forgotten) {
      send(response, createRejection(410, "Expired", "too old resource version"));
      return;
    }
    response.writeHead(200, { "content-type": "application/json" });
    response.flushHeaders();
    const watch = { collection, response };
    this.#watches.add(watch);
    response.on("close", () => this.#watches.delete(watch));
    if (this.sendsBookmarks) {
      const metadata = { resourceVersion: String(Math.max(since, this.#forgotten)) };
      response.write(`${JSON.stringify({ type: "BOOKMARK", object: { metadata } })}\n`);
    }
    for (const { type, object, version } of this.#changes) {
      if (version > since && getCollection(object) === collection) {
        response.write(`${JSON.stringify({ type, object })}\n`);
      }
    }
  }

  #store(path: string, object: StoredObject): StoredObject {
    const before = this.#objects.get(path);
    const { resourceVersion: _, ...metadata } = object.metadata;
    const uid = metadata.uid ?? before?.metadata.uid ?? `uid-${this.#version}`;
    const next = { ...object, metadata: { ...metadata, uid } };
    const { resourceVersion = "" } = before?.metadata ?? {};
    const unchanged = { ...next, metadata: { ...next.metadata, resourceVersion } } as StoredObject;
    // A write without a change does not create a new version.
    if (before !== undefined && JSON.stringify(before) === JSON.stringify(unchanged)) return before;
    this.#objects.set(path, next as StoredObject);
    return this.#sendToWatches(
      before === undefined ? "ADDED" : "MODIFIED",
      path,
      next as StoredObject,
    );
  }

  #sendToWatches(type: Change["type"], path: string, object: StoredObject): StoredObject {
    this.#version += 1;
    const version = this.#version;
    const metadata = { ...object.metadata, resourceVersion: String(version) };
    const stored = { ...object, metadata };
    if (type !== "DELETED") this.#objects.set(path, stored);
    this.#changes.push({ type, object: stored, version });
    for (const { collection, response } of this.#watches) {
      if (path.startsWith(`${collection} `)) {
        response.write(`${JSON.stringify({ type, object: stored })}\n`);
      }
    }
    return stored;
  }
}

function formatLine({ method, url = "" }: http.IncomingMessage): string {
  const { pathname, searchParams } = new URL(url, "http://server");
  return `${searchParams.has("watch") ? "WATCH" : method} ${pathname}`;
}

function splitParts(path: string) {
  const {
    root = "",
    namespace = "",
    resource = "",
    name = "",
    subresource = "",
  } = /^(?<root>\/api\/[^/]+|\/apis\/[^/]+\/[^/]+)(\/namespaces\/(?<namespace>[^/]+))?\/(?<resource>[^/]+)(\/(?<name>[^/]+))?(\/(?<subresource>[^/]+))?$/.exec(
    path,
  )?.groups ?? {};
  return { collection: `${root}/${resource}`, namespace, name, subresource };
}

function getCollection(object: KubernetesObject): string {
  return clusterPath(object);
}

function getPath(object: KubernetesObject): string {
  const { namespace = "", name } = object.metadata;
  return `${getCollection(object)} ${namespace}/${name}`;
}

function applyPatch(stored: StoredObject, type: string, patch: unknown): unknown {
  return type === "application/strategic-merge-patch+json"
    ? applyStrategicMergePatch(stored, patch)
    : applyMergePatch(stored, patch);
}
