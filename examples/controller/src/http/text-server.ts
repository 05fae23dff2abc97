import * as http from "node:http";
import type { AddressInfo } from "node:net";

/** What a path answers: the status and the text. */
export interface Answer {
  readonly code: number;
  readonly text: string;
  readonly type?: string;
}

const nothingHere: Answer = { code: 404, text: "there is nothing here\n" };

/** Serves some paths over plain HTTP; resolves when it listens. */
export async function serveText(
  port: number,
  answers: ReadonlyMap<string, () => Answer | Promise<Answer>>,
): Promise<{ readonly port: number; close(): void }> {
  const server = http.createServer(async (request, response) => {
    const path = request.url?.split("?")[0] ?? "/";
    const answer = await Promise.resolve()
      .then(answers.get(path) ?? (() => nothingHere))
      .catch((error): Answer => ({ code: 500, text: `${error}\n` }));
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
