import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import * as https from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { ConditionReporter } from "../condition-log.ts";

/**
 * A webhook as a function on web-standard types, such as the result of `createWebhookHandler` in
 * `@jobset-ts/admission`.
 */
export type WebhookHandler = (request: Request) => Promise<Response>;

const CONDITION_NAME = "webhook certificate";

/**
 * How long a connection may be idle. API servers keep connections for 90 s. A review fails if the server closes the
 * connection at the same time, because API servers do not resend it.
 */
const KEEP_ALIVE_MS = 120_000;

/** The time in milliseconds that a client may take before its connection is closed. */
export interface ConnectionTimeouts {
  /** For the TLS handshake; default 10 s. */
  readonly handshakeMs?: number;
  /** For the headers of a request; default 10 s. */
  readonly headersMs?: number;
  /** For a whole request; default 30 s. */
  readonly requestMs?: number;
}

/** An API server waits at most 30 seconds for a webhook. */
export const DEFAULT_TIMEOUTS: Required<ConnectionTimeouts> = {
  handshakeMs: 10_000,
  headersMs: 10_000,
  requestMs: 30_000,
};

/** The interval at which Node checks for slow requests. */
const POLL_INTERVAL_MS = 1_000;

/**
 * Serves webhooks over TLS. It reads `tls.crt` and `tls.key` from a folder again when they change. A missing or expired
 * certificate raises a condition and makes the program not ready. Clients that do not complete a handshake or a request
 * in time are disconnected.
 *
 * @example
 * const troubles = new ConditionLog(() => {});
 * const server = new WebhookServer(async () => new Response("ok"), "/no/such/folder", troubles);
 * const port = await server.listen("127.0.0.1", 0);
 * troubles.reasonsNotReady.length // => 1
 * await server.close();
 */
export class WebhookServer {
  /** Resolves when the server has loaded its first certificate. */
  readonly certified: Promise<void>;
  readonly #server: https.Server;
  readonly #certDir: string;
  readonly #conditions: ConditionReporter;
  readonly #checkEveryMs: number;
  #timer: NodeJS.Timeout | undefined;
  #resolveCertified = () => {};
  #certificate: { readonly cert: Buffer; readonly key: Buffer } | undefined;

  constructor(
    handler: WebhookHandler,
    certDir: string,
    conditions: ConditionReporter,
    checkEveryMs = 10_000,
    timeouts: ConnectionTimeouts = {},
  ) {
    this.#certDir = certDir;
    this.#conditions = conditions;
    this.#checkEveryMs = checkEveryMs;
    this.certified = new Promise((resolve) => {
      this.#resolveCertified = resolve;
    });
    const { handshakeMs, headersMs, requestMs } = { ...DEFAULT_TIMEOUTS, ...timeouts };
    const options = {
      keepAliveTimeout: KEEP_ALIVE_MS,
      handshakeTimeout: handshakeMs,
      headersTimeout: headersMs,
      requestTimeout: requestMs,
      connectionsCheckingInterval: Math.min(POLL_INTERVAL_MS, headersMs, requestMs),
    };
    this.#server = https.createServer(options, (request, response) => {
      respond(handler, request, response).catch((error) => {
        if (response.headersSent) response.destroy();
        else response.writeHead(500).end(`${error}\n`);
      });
    });
  }

  /** Starts to listen. Resolves with the port. */
  async listen(host: string, port: number): Promise<number> {
    this.#readCertificate();
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(port, host, resolve);
    });
    this.#timer = setInterval(() => this.#readCertificate(), this.#checkEveryMs);
    return (this.#server.address() as AddressInfo).port;
  }

  /** Rejects new requests. Resolves when open requests have finished. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    const closed = new Promise((resolve) => this.#server.close(resolve));
    // A kept-alive connection becomes idle only after its open request has finished.
    const closing = setInterval(() => this.#server.closeIdleConnections(), 20);
    await closed;
    clearInterval(closing);
  }

  #readCertificate(): void {
    const certFile = join(this.#certDir, "tls.crt");
    try {
      const cert = readFileSync(certFile);
      const key = readFileSync(join(this.#certDir, "tls.key"));
      const isNew = !this.#certificate?.cert.equals(cert) || !this.#certificate.key.equals(key);
      if (isNew) {
        this.#server.setSecureContext({ cert, key });
        this.#certificate = { cert, key };
        this.#resolveCertified();
      }
      const { validFrom, validTo } = new X509Certificate(cert);
      if (Date.parse(validTo) <= Date.now()) throw new Error(`it expired on ${validTo}`);
      if (Date.parse(validFrom) > Date.now())
        throw new Error(`it is not valid before ${validFrom}`);
      this.#conditions.resolve(CONDITION_NAME);
    } catch (error) {
      const reason = error instanceof Error ? error.message : error;
      this.#conditions.raise(CONDITION_NAME, `${certFile}: ${reason}`, { affectsReadiness: true });
    }
  }
}

/** Converts a Node request to a web request, and the web response back. */
async function respond(
  handler: WebhookHandler,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  let request: Request;
  try {
    request = webRequest(incoming);
  } catch (error) {
    // Some HTTP requests have no web equivalent, such as TRACE and `OPTIONS *`.
    outgoing.writeHead(400).end(`${error}\n`);
    return;
  }
  const response = await handler(request);
  const body = new Uint8Array(await response.arrayBuffer());
  outgoing.writeHead(response.status, Object.fromEntries(response.headers)).end(body);
}

function webRequest(incoming: IncomingMessage): Request {
  const { method = "GET", url = "/", headers } = incoming;
  const hasBody = method !== "GET" && method !== "HEAD";
  return new Request(`https://webhook${url}`, {
    method,
    headers: Object.entries(headers).map(([name, value]) => [name, String(value)]),
    ...(hasBody && { body: ReadableStream.from(incoming), duplex: "half" }),
  } as RequestInit);
}
