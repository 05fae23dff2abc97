import type { IncomingMessage, ServerResponse } from "node:http";
import * as https from "node:https";
import type { AddressInfo } from "node:net";

/** The status and body of the API server's response, by path and query. */
export type Reads = ReadonlyMap<string, { readonly status: number; readonly body: unknown }>;

/** The part of an API server that Pepr uses: its store, and the objects for a review. */
export class ApiServer {
  /** The responses for reads, and the requests received. */
  reads: Reads = new Map();
  readonly asked: string[] = [];
  readonly #server: https.Server;

  constructor(certificate: { readonly cert: string; readonly key: string }) {
    this.#server = https.createServer(certificate, (...exchange) => this.#respond(...exchange));
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #respond({ url = "", method }: IncomingMessage, response: ServerResponse): void {
    const store = /\/peprstores(?:\/([^?]+))?(?:\?(.*))?$/.exec(url);
    if (store !== null) {
      createStoreResponse(store[1], store[2] ?? "", response);
      return;
    }
    this.asked.push(`${method} ${url}`);
    const missing = { status: 404, body: { kind: "Status", reason: "NotFound", code: 404 } };
    const { status, body } = this.reads.get(url) ?? missing;
    send(response, status, body);
  }
}

/** Responds that Pepr's own store exists and is empty. Pepr serves nothing until its watch has seen the store. */
function createStoreResponse(
  name: string | undefined,
  query: string,
  response: ServerResponse,
): void {
  const selected = /metadata\.name%3D([\w-]+)/.exec(query)?.[1];
  const apiVersion = "pepr.dev/v1";
  const metadata = {
    name: name ?? selected ?? "",
    namespace: "pepr-system",
    resourceVersion: "1",
    uid: "s-1",
    labels: {},
  };
  const item = { apiVersion, kind: "PeprStore", metadata, data: {} };
  if (name !== undefined) {
    send(response, 200, item);
  } else if (query.includes("watch=true")) {
    response.writeHead(200, { "content-type": "application/json" });
    response.write(`${JSON.stringify({ type: "ADDED", object: item })}\n`); // The watch stays open.
  } else {
    const list = { apiVersion, kind: "PeprStoreList", metadata: { resourceVersion: "1" } };
    send(response, 200, { ...list, items: [item] });
  }
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
