import type { IncomingMessage, ServerResponse } from "node:http";
import * as https from "node:https";
import { wordsOf } from "./api-server.ts";
import { readCertificate } from "./certificate.ts";
import { lineOf, writeLine } from "./log-line.ts";
import type { Server } from "./program.ts";

/** A webhook as a function on web-standard types. */
type Answer = (request: Request) => Promise<Response>;

/**
 * How long a connection may be idle: longer than API servers keep theirs, which is 90 s. They send a review again on
 * none that we close while it is on its way, but let it fail.
 */
const KEEP_ALIVE_MS = 120_000;

/**
 * Serves over TLS with Node's own server, and takes a new certificate when the files of the old one change; while they
 * do not fit together the old one stays.
 *
 * @throws Error when there is no certificate to begin with, or the port is taken
 */
export async function serveOverTls(
  answer: Answer,
  {
    host,
    port,
    certDir,
    certificateCheckMs = 10_000,
  }: {
    readonly host: string;
    readonly port: number;
    readonly certDir: string;
    readonly certificateCheckMs?: number;
  },
): Promise<Server> {
  let current = readCertificate(certDir);
  const keeping = { ...current, keepAliveTimeout: KEEP_ALIVE_MS };
  const server = https.createServer(keeping, (incoming, outgoing) => {
    void passOn(answer, incoming, outgoing);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  let trouble = "";
  const timer = setInterval(() => {
    try {
      const next = readCertificate(certDir);
      if (next.cert !== current.cert || next.key !== current.key) server.setSecureContext(next);
      current = next;
      trouble = "";
    } catch (error) {
      const words = wordsOf(error);
      if (words !== trouble) writeLine(lineOf("error", `the certificate stays: ${words}`));
      trouble = words;
    }
  }, certificateCheckMs);
  const stop = () => {
    clearInterval(timer);
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeIdleConnections();
    return closed;
  };
  return { stop };
}

/** Passes a request of Node's on as one of the web, and the answer back. */
async function passOn(
  answer: Answer,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  try {
    const response = await answer(webRequestOf(incoming));
    const body = new Uint8Array(await response.arrayBuffer());
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    outgoing.end(body);
  } catch (error) {
    // Not every request that HTTP knows is one of the web: TRACE is none, nor is `OPTIONS *`.
    outgoing.writeHead(400, { "content-type": "text/plain; charset=utf-8" });
    outgoing.end(`${wordsOf(error)}\n`);
  }
}

function webRequestOf(incoming: IncomingMessage): Request {
  const { method = "GET", url = "/", headers } = incoming;
  const hasBody = method !== "GET" && method !== "HEAD";
  return new Request(new URL(url, "https://proxy"), {
    method,
    headers: Object.entries(headers).map(([name, value]) => [name, String(value)]),
    ...(hasBody && { body: ReadableStream.from(incoming), duplex: "half" }),
  } as RequestInit);
}
