import * as http from "node:http";
import type { AddressInfo } from "node:net";

/** What a path answers: the status and the text. */
export interface TextResponse {
  readonly code: number;
  readonly text: string;
  readonly type?: string;
}

const notFound: TextResponse = { code: 404, text: "there is nothing here\n" };

/** Probes and scrapes have no body and few headers. */
const TIMEOUTS: http.ServerOptions = {
  headersTimeout: 10_000,
  requestTimeout: 10_000,
  connectionsCheckingInterval: 1_000,
};

/**
 * Serves some paths over plain HTTP, probes and metrics say; resolves when it listens.
 *
 * @param port - 0 for one that is free
 * @throws Error when the port is taken
 * @example
 * const server = await serveTextEndpoints(0, new Map([["/healthz", () => ({ code: 200, text: "ok\n" })]]));
 * await (await fetch(`http://127.0.0.1:${server.port}/healthz`)).text() // => "ok\n"
 * server.close();
 */
export async function serveTextEndpoints(
  port: number,
  answers: ReadonlyMap<string, () => TextResponse | Promise<TextResponse>>,
): Promise<{
  readonly port: number;
  /** Ends it, with the connections that are open. */
  close(): void;
}> {
  const server = http.createServer(TIMEOUTS, async (request, response) => {
    const path = request.url?.split("?")[0] ?? "/";
    const answer = await Promise.resolve()
      .then(answers.get(path) ?? (() => notFound))
      .catch((error): TextResponse => ({ code: 500, text: `${error}\n` }));
    const { code, text, type = "text/plain; charset=utf-8" } = answer;
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
