import * as http from "node:http";
import * as https from "node:https";
import { isObject, type KubernetesObject } from "@jobset-ts/api/kubernetes";
import type { Effect } from "@jobset-ts/core";
import { type ApiRequest, apiRequestOf } from "@jobset-ts/core/requests";
import type { KubeConfig } from "@kubernetes/client-node";
import { sleep } from "../sleep.ts";
import {
  type ApiError,
  asksToWait,
  errorOfResponse,
  errorOfServer,
  errorOfStatus,
  secondsToWait,
  wordsOf,
} from "./api-error.ts";
import { parsed, piecesOf, textIn } from "./response-text.ts";

/** What the API server answered; an error of any kind is a value, never thrown. */
export type ApiResponse =
  | { readonly ok: true; readonly object: KubernetesObject }
  | { readonly ok: false; readonly error: ApiError };

/** A request that asks, or one that an effect stands for, or one like it with other forms of patches. */
export type AnyRequest =
  | (Omit<ApiRequest, "contentType"> & {
      readonly contentType:
        | ApiRequest["contentType"]
        | "application/apply-patch+yaml"
        | "application/strategic-merge-patch+json";
      readonly query?: Query;
    })
  | { readonly method: "GET"; readonly path: string; readonly query?: Query };

/** The parameters of a request; undefined ones are left out. */
export type Query = Readonly<Record<string, string | number | undefined>>;

/** One line of a watch. */
export interface WatchEvent {
  readonly type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK";
  readonly object: KubernetesObject;
}

/** How a request is sent. */
export interface SendOptions {
  /** Ends the request, and the wait between two; without one the client's own end does. */
  readonly signal?: AbortSignal;
  /** Told each time that the server asks us to wait and we do; then the request is sent again. */
  onThrottled?(error: ApiError): void;
  /** Who is asked to wait for longer is answered with the error, and waits itself; without it we wait in any case. */
  readonly waitsAtMostSeconds?: number;
}

/** Who follows a watch. */
export interface WatchOptions {
  readonly signal: AbortSignal;
  onOpen(): void;
  onEvent(event: WatchEvent): void;
}

/** How long the API server may be silent. */
export interface Patience {
  /** Before and within an answer. */
  readonly answerMs: number;
  /** Within a watch: bookmarks come about every minute, but not of a kind that never changed. */
  readonly watchMs: number;
}

const USUAL_PATIENCE: Patience = { answerMs: 30_000, watchMs: 120_000 };

/** How often a request is sent again when the server asks us to wait. */
const MAX_THROTTLED = 5;

const AGENT: http.AgentOptions = { keepAlive: true, maxSockets: 64 };

/**
 * Requests to the API server in its own JSON. The typed clients of `@kubernetes/client-node` drop members that
 * they do not know and turn timestamps into `Date`; here it sees to addresses and credentials only.
 */
export class ApiClient {
  readonly #load: () => KubeConfig;
  readonly #onSent: (method: string) => void;
  readonly #patience: Patience;
  readonly #closing = new AbortController();
  readonly #plainAgent = new http.Agent(AGENT);
  readonly #tlsAgent = new https.Agent(AGENT);
  #kubeConfig: KubeConfig;

  /**
   * @param load - reads the kubeconfig: now, and again when the server does not accept our credentials
   * @param onSent - told of each request, save for watches
   * @throws what `load` throws now
   */
  constructor(
    load: () => KubeConfig,
    onSent: (method: string) => void = () => {},
    patience: Patience = USUAL_PATIENCE,
  ) {
    this.#load = load;
    this.#kubeConfig = load();
    this.#onSent = onSent;
    this.#patience = patience;
  }

  /** The URL of the API server. */
  get server(): string {
    return this.#kubeConfig.getCurrentCluster()?.server ?? "";
  }

  /** Carries an effect out; one that no server would is refused without asking. */
  async perform(effect: Effect, options: SendOptions = {}): Promise<ApiResponse> {
    const asked = apiRequestOf(effect);
    if (asked.ok) return this.send(asked.request, options);
    return { ok: false, error: { ...asked.error, code: 422, isOfServer: false } };
  }

  /** Sends a request, and a few times again when the server asks us to wait. */
  async send(request: AnyRequest, options: SendOptions = {}): Promise<ApiResponse> {
    const { signal = this.#closing.signal, waitsAtMostSeconds = Number.POSITIVE_INFINITY } =
      options;
    for (let attempt = 0; ; attempt += 1) {
      const response = await this.#sendOnce(request, signal);
      this.#onSent(request.method);
      if (response.ok || !asksToWait(response.error) || attempt === MAX_THROTTLED) return response;
      const seconds = secondsToWait(response.error);
      if (seconds > waitsAtMostSeconds) return response;
      options.onThrottled?.(response.error);
      await sleep(seconds * 1000, signal);
      if (signal.aborted) return response;
    }
  }

  /**
   * Follows the changes of a collection until the server ends the watch, the connection breaks or the signal is given.
   *
   * @returns the error that ended it; none when it just ended between two changes, as it does every few minutes
   */
  async watch(
    path: string,
    resourceVersion: string,
    { signal, onOpen, onEvent }: WatchOptions,
  ): Promise<ApiError | undefined> {
    const timeoutSeconds = 240 + Math.floor(Math.random() * 120);
    const query = { watch: "true", allowWatchBookmarks: "true", resourceVersion, timeoutSeconds };
    const response = await this.#open({ method: "GET", path, query }, signal);
    if ("message" in response) return response;
    if (response.statusCode !== 200) return errorOfResponse(this.server, response);
    response.socket.setTimeout(this.#patience.watchMs);
    onOpen();
    let line = "";
    try {
      for await (const piece of piecesOf(response)) {
        const lines = (line + piece).split("\n");
        line = lines.pop() ?? "";
        for (const complete of lines) {
          const error = this.#takeLine(complete, onEvent);
          if (error !== undefined) return error;
        }
      }
    } finally {
      response.destroy();
    }
    if (line === "" || signal.aborted) return undefined;
    return errorOfServer(this.server, "cut a watch in the middle of a line", { answer: line });
  }

  /** Ends all requests, and opens no more. */
  close(): void {
    this.#closing.abort();
    this.#plainAgent.destroy();
    this.#tlsAgent.destroy();
  }

  #takeLine(line: string, onEvent: (event: WatchEvent) => void): ApiError | undefined {
    if (line.trim() === "") return undefined;
    const { type, object } = (parsed(line) ?? {}) as { type?: string; object?: unknown };
    if (type === "ERROR") return errorOfStatus(this.server, object);
    if (typeof type !== "string" || !hasMetadata(object)) {
      const message = `${this.server} sent a line that tells of no change`;
      return { message, isOfServer: false, answer: line.slice(0, 100) };
    }
    onEvent({ type, object } as WatchEvent);
    return undefined;
  }

  async #sendOnce(request: AnyRequest, signal: AbortSignal): Promise<ApiResponse> {
    const response = await this.#open(request, signal);
    if ("message" in response) return { ok: false, error: response };
    const { statusCode: code = 0 } = response;
    if (code < 200 || code > 299)
      return { ok: false, error: await errorOfResponse(this.server, response) };
    const text = await textIn(response);
    if (!response.complete)
      return { ok: false, error: errorOfServer(this.server, "broke off its answer") };
    const object = parsed(text);
    if (isObject(object as object)) return { ok: true, object: object as KubernetesObject };
    return {
      ok: false,
      error: errorOfServer(this.server, `answers ${code} without JSON`, { code, answer: text }),
    };
  }

  /** The server's answer, whatever it is; its beginning, for the body is still to come. */
  async #open(request: AnyRequest, signal: AbortSignal): Promise<http.IncomingMessage | ApiError> {
    try {
      const response = await this.#openOnce(request, signal);
      if (response.statusCode !== 401 || !this.#hasNewCredentials()) return response;
      response.resume();
      return await this.#openOnce(request, signal);
    } catch (error) {
      return errorOfServer(this.server, `cannot be reached: ${wordsOf(error)}`);
    }
  }

  #hasNewCredentials(): boolean {
    try {
      this.#kubeConfig = this.#load();
      return true;
    } catch {
      return false; // it is being written, perhaps; what the server answered says what is wrong
    }
  }

  async #openOnce(request: AnyRequest, signal: AbortSignal): Promise<http.IncomingMessage> {
    const body = "body" in request ? JSON.stringify(request.body) : undefined;
    const options = await this.#optionsFor(request, body);
    const { request: open } = options.protocol === "https:" ? https : http;
    for (;;) {
      const opened = await new Promise<http.IncomingMessage | "Stale">((resolve, reject) => {
        const sent = open({ ...options, signal }, resolve);
        sent.on("timeout", () => sent.destroy(new Error("it is silent")));
        sent.on("error", (error: NodeJS.ErrnoException) => {
          // The server may close a connection that was idle just when we use it again.
          const isStale = sent.reusedSocket && error.code === "ECONNRESET";
          if (isStale) resolve("Stale");
          else reject(error);
        });
        sent.end(body);
      });
      if (opened !== "Stale") return opened;
    }
  }

  async #optionsFor(request: AnyRequest, body?: string): Promise<https.RequestOptions> {
    const { protocol, hostname, port, pathname } = new URL(this.server);
    const query = "query" in request ? request.query : undefined;
    const options: https.RequestOptions = {
      protocol,
      method: request.method,
      host: hostname.replace(/^\[|\]$/g, ""),
      port,
      path: pathname.replace(/\/$/, "") + request.path + queryText(query),
      headers: {
        accept: "application/json",
        "user-agent": "jobset-ts-controller",
        ...("contentType" in request && { "content-type": request.contentType }),
        // Node leaves it out of a DELETE, whose body would be read as the next request.
        ...(body !== undefined && { "content-length": Buffer.byteLength(body) }),
      },
      timeout: this.#patience.answerMs,
    };
    await this.#kubeConfig.applyToHTTPSOptions(options);
    // The client library makes an agent, and so a connection, for each request; through a proxy that has to do.
    const isProxied = this.#kubeConfig.getCurrentCluster()?.proxyUrl !== undefined;
    if (!isProxied) options.agent = protocol === "https:" ? this.#tlsAgent : this.#plainAgent;
    return options;
  }
}

/** Whether something can be an object of Kubernetes, from whoever it comes. */
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
