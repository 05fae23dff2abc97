import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { SNAPSHOT_KINDS } from "@jobset-ts/core";

/** The API server's response for a kind: its objects, an error, or no response yet. */
export type Listing =
  | { readonly outcome: "Read"; readonly objects: readonly object[] }
  | { readonly outcome: "Failed"; readonly status: number; readonly message: string }
  | { readonly outcome: "Loading" };

/** The responses by kind. */
export type Listings = Readonly<Record<string, Listing>>;

const CLUSTER = "a-cluster";
const PAGE = "<!doctype html><html lang=en><title>Headlamp</title><body></body></html>";

/** The server behind Headlamp's page: an empty page, and the API server of one cluster behind Headlamp's proxy. */
export class ApiServer {
  readonly #server: Server;
  readonly #waiting = new Set<ServerResponse>();
  #listings: Listings = {};

  constructor() {
    this.#server = createServer((request, response) => {
      const send = (status: number, body: string, type: string) =>
        response.writeHead(status, { "content-type": type }).end(body);
      const path = request.url ?? "";
      if (path === "/") return send(200, PAGE, "text/html");
      const found = Object.entries(this.#listings).find(([kind]) => path === getPath(kind));
      if (found === undefined) return send(404, '{"message":"not found"}', "application/json");
      const [kind, listing] = found;
      if (listing.outcome === "Loading") return this.#waiting.add(response);
      if (listing.outcome === "Failed") {
        const status = { kind: "Status", message: listing.message };
        return send(listing.status, JSON.stringify(status), "application/json");
      }
      // Items of a list have no kind; only the list has one.
      const items = listing.objects.map((object) => ({
        ...object,
        kind: undefined,
        apiVersion: undefined,
      }));
      const { apiVersion } = SNAPSHOT_KINDS.get(kind) ?? {};
      const list = { apiVersion, kind: `${kind}List`, metadata: { resourceVersion: "1" }, items };
      return send(200, JSON.stringify(list), "application/json");
    });
  }

  /** Sets the responses. Pending requests are closed without a response. */
  setListings(listings: Listings): void {
    this.#listings = listings;
    // A browser does not repeat a request while it waits for the response.
    for (const response of this.#waiting) response.destroy();
    this.#waiting.clear();
  }

  /** Starts the server and returns the URL of the page. */
  start(): Promise<string> {
    return new Promise((resolve) => {
      this.#server.listen(0, "127.0.0.1", () => {
        resolve(`http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`);
      });
    });
  }

  stop(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }
}

/** Returns the path at which Headlamp lists all objects of a kind. */
function getPath(kind: string): string {
  const apiVersion = SNAPSHOT_KINDS.get(kind)?.apiVersion ?? "v1";
  const root = apiVersion.includes("/") ? "apis" : "api";
  return `/clusters/${CLUSTER}/${root}/${apiVersion}/${kind.toLowerCase()}s`;
}
