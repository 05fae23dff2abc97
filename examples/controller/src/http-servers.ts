import * as http from "node:http";
import type { AddressInfo } from "node:net";

/** What answers to a path: the status and the text. */
export type Answer = () => { readonly code: number; readonly text: string; readonly type?: string };

/** Serves some paths over plain HTTP; resolves with the port when it listens. */
export async function serveText(
  port: number,
  answers: Readonly<Record<string, Answer>>,
): Promise<{ readonly port: number; close(): void }> {
  const server = http.createServer((request, response) => {
    const path = request.url?.split("?")[0] ?? "/";
    const answer = Object.hasOwn(answers, path) ? answers[path] : undefined;
    const {
      code,
      text,
      type = "text/plain; charset=utf-8",
    } = answer?.() ?? {
      code: 404,
      text: "there is nothing here\n",
    };
    response.writeHead(code, { "content-type": type }).end(text);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "0.0.0.0", resolve);
  });
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { port: (server.address() as AddressInfo).port, close };
}
