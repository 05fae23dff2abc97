import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import * as https from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { TroubleLog } from "../log.ts";

/** A webhook as a function on web-standard types. */
export type Handler = (request: Request) => Promise<Response>;

const WHAT = "webhook certificate";

/**
 * Serves webhooks over TLS. The certificate is read again when its file changes; one that is missing or out of
 * date is logged, and makes the server not ready.
 */
export class WebhookServer {
  readonly #server: https.Server;
  readonly #certDir: string;
  readonly #troubles: TroubleLog;
  readonly #checkEveryMs: number;
  #timer: NodeJS.Timeout | undefined;
  #certificate: { readonly cert: Buffer; readonly key: Buffer } | undefined;

  constructor(handler: Handler, certDir: string, troubles: TroubleLog, checkEveryMs = 10_000) {
    this.#certDir = certDir;
    this.#troubles = troubles;
    this.#checkEveryMs = checkEveryMs;
    this.#server = https.createServer((request, response) => {
      answer(handler, request, response).catch((error) => {
        if (response.headersSent) response.destroy();
        else response.writeHead(500).end(`${error}\n`);
      });
    });
  }

  /** Whether it has had a certificate to serve with. */
  get hasCertificate(): boolean {
    return this.#certificate !== undefined;
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

  close(): void {
    clearInterval(this.#timer);
    this.#server.close();
    this.#server.closeIdleConnections();
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
