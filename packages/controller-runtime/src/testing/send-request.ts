import * as https from "node:https";
import type { TLSSocket } from "node:tls";

/** Sends a request and returns the response and the server's certificate. */
export function sendRequest(port: number, options: https.RequestOptions = {}, body = "") {
  return new Promise<{
    code?: number;
    kind: unknown;
    keepAlive?: string;
    text: string;
    shown: string;
  }>((resolve, reject) => {
    const request = https.request(
      { port, host: "127.0.0.1", rejectUnauthorized: false, agent: false, ...options },
      async (response) => {
        const shown = (response.socket as TLSSocket).getPeerX509Certificate()?.toString() ?? "";
        const chunks: Buffer[] = [];
        for await (const chunk of response) chunks.push(chunk);
        const text = Buffer.concat(chunks).toString();
        const { "x-kind": kind } = response.headers;
        const keepAlive = String(response.headers["keep-alive"]);
        resolve({ code: response.statusCode, kind, keepAlive, text, shown });
      },
    );
    request.on("error", reject);
    request.end(body);
  });
}
