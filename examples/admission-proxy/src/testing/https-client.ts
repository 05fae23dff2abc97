import * as https from "node:https";

/** What was answered. */
export interface Came {
  readonly status: number | undefined;
  readonly text: string;
}

/** Sends a request to a server on this machine, over a connection of its own. */
export function sendOverTls({
  port,
  ca,
  method = "GET",
  path,
  body,
}: {
  readonly port: number;
  /** Whom to trust, as PEM text. */
  readonly ca: string;
  readonly method?: string;
  readonly path: string;
  readonly body?: string;
}): Promise<Came> {
  return new Promise((resolve, reject) => {
    const options = {
      ...{ host: "localhost", port, ca, agent: false, method, path },
      headers: body === undefined ? {} : { "content-type": "application/json" },
    };
    const request = https.request(options, async (response) => {
      let text = "";
      for await (const chunk of response) text += chunk;
      resolve({ status: response.statusCode, text });
    });
    request.on("error", reject);
    request.end(body);
  });
}
