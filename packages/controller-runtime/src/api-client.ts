import { isObject, type KubernetesObject } from "@jobset-ts/api/kubernetes";
import { createRedactor } from "@jobset-ts/api/redaction";
import type { Effect } from "@jobset-ts/core";
import { type ApiRequest, BodySerializer, createApiRequest } from "@jobset-ts/core/requests";
import {
  type ApiError,
  createServerError,
  errorMessage,
  isRetryAfter,
  parseStatus,
  retryAfterSeconds,
  toResponseError,
  toStatusError,
  truncateStart,
} from "./api-error.ts";
import type { Connection, Fetch } from "./connection.ts";
import { Exchange } from "./exchange.ts";
import { Sleeper, sleep } from "./sleep.ts";

/** The API server's response. Errors are values and are never thrown. */
export type ApiResponse =
  | { readonly ok: true; readonly object: KubernetesObject }
  | { readonly ok: false; readonly error: ApiError };

/** A read request, a request for an effect, or a variant of it with another patch format. */
export type ClientRequest =
  | (Omit<ApiRequest, "contentType"> & {
      readonly contentType:
        | ApiRequest["contentType"]
        | "application/apply-patch+yaml"
        | "application/strategic-merge-patch+json";
      readonly query?: Query;
    })
  | { readonly method: "GET"; readonly path: string; readonly query?: Query };

/** The parameters of a request. Undefined ones are omitted. */
type Query = Readonly<Record<string, string | number | undefined>>;

/** One line of a watch. */
export interface WatchEvent {
  readonly type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK";
  readonly object: KubernetesObject;
}

/** How a request is sent. */
export interface SendOptions {
  /**
   * Aborts the request and the wait between two attempts. By default, only {@link ApiClient.close} aborts
   * them.
   */
  readonly signal?: AbortSignal;
  /** Called each time the client waits because the server requests it. The request is then sent again. */
  onThrottled?(error: ApiError): void;
  /**
   * The longest Retry-After that the client waits for. For a longer one, it returns the error. Without this option,
   * it always waits.
   */
  readonly waitsAtMostSeconds?: number;
}

/** The handlers and options of a watch. */
export interface WatchOptions {
  readonly signal: AbortSignal;
  onOpen(): void;
  onEvent(event: WatchEvent): void;
}

/** How long the API server may be silent. */
export interface ClientTimeouts {
  /** The timeout before a response and between its parts. */
  readonly responseMs: number;
  /**
   * The timeout for silence within a watch. Bookmarks arrive about every minute, but not for a kind that never changed.
   */
  readonly watchMs: number;
}

const DEFAULT_TIMEOUTS: ClientTimeouts = { responseMs: 30_000, watchMs: 120_000 };

/** The maximum number of retries if the server asks the client to wait. */
const MAX_THROTTLED = 5;

/** The optional settings of an {@link ApiClient}. */
export interface ClientOptions {
  /** The `User-Agent` header. Default: `jobset-ts`. */
  readonly userAgent?: string;
  /** Called with the method of each request, except for watches. */
  readonly onRequest?: (method: string) => void;
  readonly timeouts?: ClientTimeouts;
}

/**
 * Sends requests to an API server as plain JSON. A client that parses objects into classes loses unknown fields. Errors
 * are values and are never thrown.
 *
 * @example
 * const pods = { kind: "PodList", items: [] };
 * // In a program: without `fetch`, the runtime's own is taken.
 * const client = new ApiClient({ server: "https://10.0.0.1", fetch: async () => Response.json(pods) });
 * const answer = await client.send({ method: "GET", path: "/api/v1/pods" });
 * answer.ok && answer.object.kind // => "PodList"
 */
export class ApiClient {
  /** The URL of the API server. */
  readonly server: string;
  readonly #connection: Connection;
  readonly #fetch: Fetch;
  readonly #userAgent: string;
  readonly #onRequest: (method: string) => void;
  readonly #timeouts: ClientTimeouts;
  readonly #pauses = new Sleeper();
  readonly #inFlight = new Set<Exchange>();
  readonly #bodies = new BodySerializer();

  /** @throws TypeError if the server's URL is invalid */
  constructor(connection: Connection, options: ClientOptions = {}) {
    const { userAgent = "jobset-ts", onRequest = () => {}, timeouts = DEFAULT_TIMEOUTS } = options;
    const { server, fetch = (url, request) => globalThis.fetch(url, request) } = connection;
    if (!/^https?:\/\/[^/]/.test(server) || !URL.canParse(server))
      throw new TypeError(`"${server}" is not a URL`);
    this.server = server.replace(/\/+$/, "");
    this.#connection = connection;
    this.#fetch = fetch;
    this.#userAgent = userAgent;
    this.#onRequest = onRequest;
    this.#timeouts = timeouts;
  }

  /**
   * Sends the request of an effect. If no server would accept the effect, it returns an error without a request. See
   * {@link ApiClient.send}.
   */
  async perform(effect: Effect, options: SendOptions = {}): Promise<ApiResponse> {
    const created = createApiRequest(effect);
    if (created.ok) return this.send(created.request, options);
    return { ok: false, error: { ...created.error, code: 422, isServerResponse: false } };
  }

  /**
   * Sends a request, and retries it a few times if the server asks the client to wait. Error messages omit values of
   * the request body that may be secret, such as environment variables.
   */
  async send(request: ClientRequest, options: SendOptions = {}): Promise<ApiResponse> {
    const { signal, waitsAtMostSeconds = Number.POSITIVE_INFINITY } = options;
    for (let attempt = 0; ; attempt += 1) {
      const response = await this.#sendOnce(request, signal);
      this.#onRequest(request.method);
      if (response.ok || !isRetryAfter(response.error) || attempt === MAX_THROTTLED)
        return response;
      const seconds = retryAfterSeconds(response.error);
      if (seconds > waitsAtMostSeconds) return response;
      options.onThrottled?.(response.error);
      await (signal ? sleep(seconds * 1000, signal) : this.#pauses.sleep(seconds * 1000));
      if (signal?.aborted || this.#pauses.areOver) return response;
    }
  }

  /**
   * Watches a collection until the server ends the watch, the connection fails or the signal aborts.
   *
   * @returns the error that ended the watch; `undefined` if the server ended it normally, as it does every few minutes
   */
  async watch(
    path: string,
    resourceVersion: string,
    { signal, onOpen, onEvent }: WatchOptions,
  ): Promise<ApiError | undefined> {
    const timeoutSeconds = 240 + Math.floor(Math.random() * 120);
    const query = { watch: "true", allowWatchBookmarks: "true", resourceVersion, timeoutSeconds };
    const response = await this.#open({ method: "GET", path, query }, signal);
    if ("error" in response) return response.error;
    const { exchange, status } = response;
    if (status !== 200) {
      return toResponseError(this.server, { ...response, text: await exchange.text() });
    }
    exchange.allowSilence(this.#timeouts.watchMs);
    onOpen();
    let line = "";
    for await (const piece of exchange.readChunks()) {
      const lines = (line + piece).split("\n");
      line = lines.pop() ?? "";
      for (const complete of lines) {
        const error = this.#takeLine(complete, onEvent);
        if (error !== undefined) return error;
      }
    }
    if (line === "" || signal.aborted) return undefined;
    return createServerError(this.server, "ended a watch in the middle of a line", {
      responseText: line,
    });
  }

  /** Aborts all requests and rejects new ones. */
  close(): void {
    this.#pauses.end();
    for (const exchange of this.#inFlight) exchange.end();
    this.#connection.close?.();
  }

  #takeLine(line: string, onEvent: (event: WatchEvent) => void): ApiError | undefined {
    if (line.trim() === "") return undefined;
    const { type, object } = (parseStatus(line) ?? {}) as { type?: string; object?: unknown };
    if (type === "ERROR") return toStatusError(this.server, object);
    if (typeof type !== "string" || !hasMetadata(object)) {
      const message = `${this.server} sent an invalid watch event`;
      return { message, isServerResponse: false, ...truncateStart(line) };
    }
    onEvent({ type, object } as WatchEvent);
    return undefined;
  }

  async #sendOnce(request: ClientRequest, signal?: AbortSignal): Promise<ApiResponse> {
    const response = await this.#open(request, signal);
    if ("error" in response) return { ok: false, error: response.error };
    const { exchange, status } = response;
    const text = await exchange.text();
    if (status < 200 || status > 299) {
      const error = toResponseError(this.server, { ...response, text });
      return { ok: false, error: "body" in request ? redactValues(error, request.body) : error };
    }
    if (!exchange.isWhole)
      return { ok: false, error: createServerError(this.server, "ended its response early") };
    const object = parseStatus(text);
    if (isObject(object as object)) return { ok: true, object: object as KubernetesObject };
    const problem = `returned ${status} without JSON`;
    return {
      ok: false,
      error: createServerError(this.server, problem, { code: status, responseText: text }),
    };
  }

  /** Returns the start of the server's response, whatever its status. The body may follow later. */
  async #open(
    request: ClientRequest,
    signal?: AbortSignal,
  ): Promise<OpenResponse | { readonly error: ApiError }> {
    const exchange = new Exchange(this.#timeouts.responseMs, signal, () => {
      this.#inFlight.delete(exchange);
    });
    this.#inFlight.add(exchange);
    if (this.#pauses.areOver) exchange.end();
    try {
      const sent = await this.#sentFor(request);
      const url = this.server + request.path + queryText(request.query);
      const { status, headers } = await exchange.send(this.#fetch, url, sent);
      return { exchange, status, headers };
    } catch (error) {
      exchange.end();
      return { error: createServerError(this.server, `cannot be reached: ${errorMessage(error)}`) };
    }
  }

  async #sentFor(request: ClientRequest) {
    const token = (await this.#connection.token?.())?.trim() ?? "";
    // Errors about invalid headers quote the value and would leak the token.
    if (!/^[\x21-\x7e]*$/.test(token)) throw new Error("the token contains invalid characters");
    const headers = {
      accept: "application/json",
      "user-agent": this.#userAgent,
      ...(token !== "" && { authorization: `Bearer ${token}` }),
    };
    const { method } = request;
    if (!("body" in request)) return { method, headers };
    const { body, contentType } = request;
    return {
      method,
      headers: { ...headers, "content-type": contentType },
      body: this.#bodies.of(body),
    };
  }
}

/** A response whose headers have arrived. */
interface OpenResponse {
  readonly exchange: Exchange;
  readonly status: number;
  readonly headers: { get(name: string): string | null };
}

/**
 * Removes values of the request body from an error. Errors become logs and Events, and servers quote invalid values.
 */
function redactValues(error: ApiError, body: unknown): ApiError {
  const { redactObject, redactText } = createRedactor();
  redactObject(body);
  const { message, responseText } = error;
  return {
    ...error,
    message: redactText(message),
    ...(responseText !== undefined && { responseText: redactText(responseText) }),
  };
}

/** Reports whether a value has the form of a Kubernetes object. */
export function hasMetadata(object: unknown): object is KubernetesObject {
  return isObject(object as object) && isObject((object as { metadata: object }).metadata);
}

function queryText(query: Query = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  return parameters.size === 0 ? "" : `?${parameters}`;
}
