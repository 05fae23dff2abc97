import * as https from "node:https";
import { connect } from "node:tls";

/** A response. */
export interface HttpsResponse {
  readonly status: number | undefined;
  readonly text: string;
}

/** Sends a request to a server on this machine over a new connection. */
export function sendOverTls({
  port,
  ca,
  method = "GET",
  path,
  body,
}: {
  readonly port: number;
  /** The trusted certificate authority, as PEM text. */
  readonly ca: string;
  readonly method?: string;
  readonly path: string;
  readonly body?: string;
}): Promise<HttpsResponse> {
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

/**
 * Sends text unchanged and returns the response up to the end of the connection.
 *
 * @param isWhole - whether the text is complete, so that this side closes the connection
 */
export function sendText(
  { port, ca, text }: { readonly port: number; readonly ca: string; readonly text: string },
  isWhole: (received: string) => boolean = () => false,
): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = "";
    const socket = connect({ host: "localhost", port, ca }, () => socket.write(text));
    const end = () => {
      socket.destroy();
      resolve(received);
    };
    socket.setEncoding("utf8").on("data", (chunk) => {
      received += chunk;
      if (isWhole(received)) end();
    });
    socket.on("end", end);
    socket.on("error", reject);
  });
}

/** Returns the start of a POST that is sent only in part. */
export function formatPartialPost(
  path: string,
  headers: Readonly<Record<string, string | number>>,
  body: string,
): string {
  const all = { host: "localhost", "content-type": "application/json", ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return [`POST ${path} HTTP/1.1`, ...lines, "", body].join("\r\n");
}
