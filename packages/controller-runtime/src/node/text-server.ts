import * as http from "node:http";
import type { AddressInfo } from "node:net";

/** The status and text of a response. */
export interface TextResponse {
  readonly code: number;
  readonly text: string;
  readonly type?: string;
}

const notFound: TextResponse = { code: 404, text: "not found\n" };

/** Probes and scrapes have no body and few headers. */
const TIMEOUTS: http.ServerOptions = {
  headersTimeout: 10_000,
  requestTimeout: 10_000,
  connectionsCheckingInterval: 1_000,
};

/**
 * Serves paths over plain HTTP, such as probes and metrics. Resolves when the server listens.
 *
 * @param port - 0 selects a free port
 * @throws Error if the port is in use
 * @example
 * const server = await serveTextEndpoints(0, new Map([["/healthz", () => ({ code: 200, text: "ok\n" })]]));
 * await (await fetch(`http://127.0.0.1:${server.port}/healthz`)).text() // => "ok\n"
 * server.close();
 */
export async function serveTextEndpoints(
  port: number,
  endpoints: ReadonlyMap<string, () => TextResponse | Promise<TextResponse>>,
): Promise<{
  readonly port: number;
  /** Stops the server and closes its connections. */
  close(): void;
}> {
  const server = http.createServer(TIMEOUTS, async (request, response) => {
    const path = request.url?.split("?")[0] ?? "/";
    const result = await Promise.resolve()
      .then(endpoints.get(path) ?? (() => notFound))
      .catch((error): TextResponse => ({ code: 500, text: `${error}\n` }));
    const { code, text, type = "text/plain; charset=utf-8" } = result;
    response.writeHead(code, { "content-type": type }).end(text);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "0.0.0.0", resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
