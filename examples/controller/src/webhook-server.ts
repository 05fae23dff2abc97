import { X509Certificate } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import * as https from "node:https";
import { join } from "node:path";
import type { TroubleLog } from "./log.ts";

/** A webhook as a function on web-standard types. */
export type Handler = (request: Request) => Promise<Response>;

const CERTIFICATE_CHECK_MS = 10_000;

/**
 * Serves webhooks over TLS. The certificate is read again when its file changes; one that has expired is logged,
 * and makes the server not ready.
 */
export class WebhookServer {
  readonly #server: https.Server;
  readonly #certDir: string;
  readonly #troubles: TroubleLog;
  #timer: NodeJS.Timeout | undefined;
  #readAt = 0;

  constructor(handler: Handler, certDir: string, troubles: TroubleLog) {
    this.#certDir = certDir;
    this.#troubles = troubles;
    this.#server = https.createServer(
      (request, response) => void answer(handler, request, response),
    );
  }

  /** Resolves when it listens. */
  async listen(host: string, port: number): Promise<void> {
    this.#readCertificate();
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(port, host, resolve);
    });
    this.#timer = setInterval(() => this.#readCertificate(), CERTIFICATE_CHECK_MS);
    this.#timer.unref();
  }

  close(): void {
    clearInterval(this.#timer);
    this.#server.close();
    this.#server.closeIdleConnections();
  }

  #readCertificate(): void {
    const about = "webhook certificate";
    try {
      const [certFile, keyFile] = [join(this.#certDir, "tls.crt"), join(this.#certDir, "tls.key")];
      const changedAt = Math.max(statSync(certFile).mtimeMs, statSync(keyFile).mtimeMs);
      const cert = readFileSync(certFile);
      if (changedAt > this.#readAt) {
        this.#server.setSecureContext({ cert, key: readFileSync(keyFile) });
        this.#readAt = changedAt;
      }
      const { validTo } = new X509Certificate(cert);
      if (Date.parse(validTo) > Date.now()) this.#troubles.ends(about);
      else this.#troubles.begins(about, `${certFile} has expired on ${validTo}`);
    } catch (error) {
      this.#troubles.begins(about, error instanceof Error ? error.message : String(error));
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
