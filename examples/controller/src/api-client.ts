import * as http from "node:http";
import * as https from "node:https";
import { createInterface } from "node:readline";
import type { KubernetesObject } from "@jobset-ts/api";
import type { ApiRequest, EffectError } from "@jobset-ts/core";
import type { KubeConfig } from "@kubernetes/client-node";

/** What the API server answered; an error of any kind is a value, never thrown. */
export type ApiResponse =
  | { readonly ok: true; readonly object: KubernetesObject }
  | { readonly ok: false; readonly error: ApiError };

/** Why a request failed. */
export interface ApiError extends EffectError {
  /** The HTTP status; absent when there was no answer. */
  readonly code?: number;
  /** How long the server asks us to wait. */
  readonly retryAfterSeconds?: number;
}

/** A request that asks, or one that an effect stands for. */
export type AnyRequest =
  | ApiRequest
  | { readonly method: "GET"; readonly path: string; readonly query?: Query };

/** The parameters of a request; undefined ones are left out. */
export type Query = Readonly<Record<string, string | number | undefined>>;

/** One line of a watch. */
export interface WatchEvent {
  readonly type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK" | "ERROR";
  readonly object: KubernetesObject & { readonly code?: number; readonly message?: string };
}

const REQUEST_TIMEOUT_MS = 30_000;

/** How often a request is sent again when the server says that it has too much to do. */
const MAX_THROTTLED = 5;

/**
 * Requests to the API server in its own JSON. The typed clients of `@kubernetes/client-node` drop members that
 * they do not know and turn timestamps into `Date`; here it sees to addresses and credentials only.
 */
export class ApiClient {
  readonly #kubeConfig: KubeConfig;
  readonly #server: URL;
  readonly #agent: http.Agent;
  /** The writes that were sent, for the metrics. */
  readonly sent = new Map<string, number>();

  constructor(kubeConfig: KubeConfig) {
    const server = kubeConfig.getCurrentCluster()?.server;
    if (server === undefined) throw new TypeError("the kubeconfig names no cluster");
    this.#kubeConfig = kubeConfig;
    this.#server = new URL(server);
    const options = { keepAlive: true, maxSockets: 64 };
    this.#agent = this.#isTls ? new https.Agent(options) : new http.Agent(options);
  }

  /** Sends a request, and again while the server answers 429 or that it is overloaded. */
  async send(request: AnyRequest): Promise<ApiResponse> {
    for (let attempt = 0; ; attempt += 1) {
      const response = await this.#sendOnce(request);
      this.sent.set(request.method, (this.sent.get(request.method) ?? 0) + 1);
      if (response.ok || response.error.code !== 429 || attempt === MAX_THROTTLED) return response;
      const { retryAfterSeconds = 1 } = response.error;
      await new Promise((resolve) => setTimeout(resolve, retryAfterSeconds * 1000));
    }
  }

  /**
   * Follows the changes of a collection until the server ends the watch, the connection breaks or the signal is given.
   *
   * @returns the error that ended it; none when the server just ended it, as it does every few minutes
   */
  async watch(
    path: string,
    resourceVersion: string,
    onEvent: (event: WatchEvent) => void,
    signal: AbortSignal,
  ): Promise<ApiError | undefined> {
    const timeoutSeconds = 240 + Math.floor(Math.random() * 120);
    const query = { watch: "true", allowWatchBookmarks: "true", resourceVersion, timeoutSeconds };
    const opened = await this.#open(
      { method: "GET", path, query },
      signal,
      (timeoutSeconds + 30) * 1000,
    );
    if ("message" in opened) return opened;
    if (opened.statusCode !== 200) return (await this.#errorOf(opened)) as ApiError;
    try {
      for await (const line of createInterface({
        input: opened,
        crlfDelay: Number.POSITIVE_INFINITY,
      })) {
        if (line === "") continue;
        const event = JSON.parse(line) as WatchEvent;
        if (event.type === "ERROR") {
          const { code, message = "the watch failed" } = event.object;
          return { message, ...(code !== undefined && { code }) };
        }
        onEvent(event);
      }
      return undefined;
    } catch (error) {
      return { message: `the watch broke off: ${textOf(error)}` };
    } finally {
      opened.destroy();
    }
  }

  async #sendOnce(request: AnyRequest): Promise<ApiResponse> {
    const response = await this.#open(request, undefined, REQUEST_TIMEOUT_MS);
    if ("message" in response) return { ok: false, error: response };
    const { statusCode = 0 } = response;
    if (statusCode < 200 || statusCode > 299) {
      return { ok: false, error: await this.#errorOf(response) };
    }
    try {
      return { ok: true, object: JSON.parse(await bodyOf(response)) };
    } catch (error) {
      return { ok: false, error: { code: statusCode, message: `no JSON: ${textOf(error)}` } };
    }
  }

  async #open(
    request: AnyRequest,
    signal: AbortSignal | undefined,
    timeout: number,
  ): Promise<http.IncomingMessage | ApiError> {
    const body = "body" in request ? JSON.stringify(request.body) : undefined;
    const query = "query" in request ? request.query : undefined;
    const options: https.RequestOptions = {
      method: request.method,
      host: this.#server.hostname,
      port: this.#server.port,
      path: this.#server.pathname.replace(/\/$/, "") + request.path + queryText(query),
      headers: {
        accept: "application/json",
        "user-agent": "jobset-ts-controller",
        ...("contentType" in request && { "content-type": request.contentType }),
        ...(body !== undefined && { "content-length": Buffer.byteLength(body) }),
      },
      agent: this.#agent,
      timeout,
      ...(signal !== undefined && { signal }),
    };
    try {
      await this.#kubeConfig.applyToHTTPSOptions(options);
      // The client would give each request an agent, and so a connection, of its own.
      options.agent = this.#agent;
      return await new Promise<http.IncomingMessage>((resolve, reject) => {
        const sent = (this.#isTls ? https : http).request(options, resolve);
        sent.on("timeout", () => sent.destroy(new Error(`no answer within ${timeout / 1000} s`)));
        sent.on("error", reject);
        sent.end(body);
      });
    } catch (error) {
      return { message: `${request.method} ${request.path}: ${textOf(error)}` };
    }
  }

  /** A server's `Status`; a proxy in between may send anything. */
  async #errorOf(response: http.IncomingMessage): Promise<ApiError> {
    const { statusCode: code = 0, headers } = response;
    const text = await bodyOf(response).catch(() => "");
    const retryAfter = Number(headers["retry-after"]);
    const retryAfterSeconds = Number.isFinite(retryAfter) ? { retryAfterSeconds: retryAfter } : {};
    try {
      const { message, reason } = JSON.parse(text);
      if (typeof message === "string") return { code, message, reason, ...retryAfterSeconds };
    } catch {
      // Not the API server's own words; said below.
    }
    const message = `the API server answered ${code} without a Status: ${text.slice(0, 100)}`;
    return { code, message, ...retryAfterSeconds };
  }

  get #isTls(): boolean {
    return this.#server.protocol === "https:";
  }
}

async function bodyOf(response: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

function queryText(query: Query = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  return parameters.size === 0 ? "" : `?${parameters}`;
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}
