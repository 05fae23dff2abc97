import type * as http from "node:http";
import { setTimeout } from "node:timers/promises";

/** Replaces a response of the server. */
export type Fault = (
  request: http.IncomingMessage,
  response: http.ServerResponse,
) => void | Promise<void>;

/** Responds with a `Status`. */
export function status(
  code: number,
  reason: string,
  message: string,
  headers: http.OutgoingHttpHeaders = {},
): Fault {
  return (_, response) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value ?? "");
    send(response, createRejection(code, reason, message));
  };
}

/** Responds as a proxy that cannot reach the server. */
export function html(code: number): Fault {
  return (_, response) => {
    response.writeHead(code, { "content-type": "text/html" });
    response.end(`<html><body><h1>${code} Bad Gateway</h1></body></html>`);
  };
}

/** Opens a watch, sends text, and then ends the watch or cuts the connection. */
export function brokenWatch(text: string, end: "ends" | "is cut" = "ends"): Fault {
  return async (_, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.write(text);
    await setTimeout(5);
    if (end === "ends") response.end();
    else response.socket?.destroy();
  };
}

/** Starts a JSON response and stops in the middle. */
export const truncatedResponse: Fault = (_, response) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": 1000 });
  response.write('{"kind":"List","items":[{"meta', () => response.socket?.destroy());
};

/** Accepts the request and never responds. */
export const neverRespond: Fault = () => {};

/** Cuts the connection without a response. */
export const reset: Fault = (request) => {
  request.socket.destroy();
};

export type FakeResponse = readonly [code: number, body: unknown];

export function send(response: http.ServerResponse, [code, body]: FakeResponse): void {
  response.writeHead(code, { "content-type": "application/json" }).end(JSON.stringify(body));
}

export function createRejection(code: number, reason: string, message: string): FakeResponse {
  return [code, { kind: "Status", status: "Failure", code, reason, message }];
}
