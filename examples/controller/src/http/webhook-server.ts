import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import * as https from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Troubles } from "../log.ts";

/** A webhook as a function on web-standard types. */
export type Handler = (request: Request) => Promise<Response>;

const WHAT = "webhook certificate";

/**
 * How long a connection may be idle: longer than API servers keep theirs, which is 90 s. They send a review again on
 * none that we close while it is on its way, but let it fail.
 */
const KEEP_ALIVE_MS = 120_000;

/**
 * Serves webhooks over TLS. The certificate is read again when its file changes; one that is missing or out of
 * date is logged, and makes the server not ready.
 */
export class WebhookServer {
  /** Resolves when it has had a certificate to serve with. */
  readonly certified: Promise<void>;
  readonly #server: https.Server;
  readonly #certDir: string;
  readonly #troubles: Troubles;
  readonly #checkEveryMs: number;
  #timer: NodeJS.Timeout | undefined;
  #resolveCertified = () => {};
  #certificate: { readonly cert: Buffer; readonly key: Buffer } | undefined;

  constructor(handler: Handler, certDir: string, troubles: Troubles, checkEveryMs = 10_000) {
    this.#certDir = certDir;
    this.#troubles = troubles;
    this.#checkEveryMs = checkEveryMs;
    this.certified = new Promise((resolve) => {
      this.#resolveCertified = resolve;
    });
    const options = { keepAliveTimeout: KEEP_ALIVE_MS };
    this.#server = https.createServer(options, (request, response) => {
      answer(handler, request, response).catch((error) => {
        if (response.headersSent) response.destroy();
        else response.writeHead(500).end(`${error}\n`);
      });
    });
  }

  /** Resolves with the port when it listens. */
  async listen(host: string, port: number): Promise<number> {
    this.#readCertificate();
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(port, host, resolve);
    });
    this.#timer = setInterval(() => this.#readCertificate(), this.#checkEveryMs);
    return (this.#server.address() as AddressInfo).port;
  }

  /** Takes no more requests; resolves when those under way are answered. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    const closed = new Promise((resolve) => this.#server.close(resolve));
    // A connection that is kept for the next request is idle only when the one under way is answered.
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
      this.#troubles.ends(WHAT);
    } catch (error) {
      const reason = error instanceof Error ? error.message : error;
      this.#troubles.begins(WHAT, `${certFile}: ${reason}`, { stopsUs: true });
    }
  }
}

/** Passes a request of Node's on as one of the web, and the answer back. */
async function answer(handler: Handler, incoming: IncomingMessage, outgoing: ServerResponse) {
  const { method = "GET", url = "/", headers } = incoming;
  const hasBody = method !== "GET" && method !== "HEAD";
  const request = new Request(`https://webhook${url}`, {
    method,
    headers: Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)] as [string, string]],
    ),
    ...(hasBody && { body: ReadableStream.from(incoming), duplex: "half" }),
  } as RequestInit);
  const response = await handler(request);
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  outgoing.end(new Uint8Array(await response.arrayBuffer()));
}
