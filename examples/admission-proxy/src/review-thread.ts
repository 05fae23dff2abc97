import { once } from "node:events";
import process from "node:process";
import { MessageChannel, type MessagePort, parentPort, Worker } from "node:worker_threads";
import { errorMessage, logLine, writeLine } from "@jobset-ts/controller-runtime";

type RespondToRequest = (request: Request) => Promise<Response>;

/** A request to the other thread. Its body is a stream that is sent in chunks. */
interface ThreadRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: ReadableStream | null;
  /** The port that receives the response. */
  readonly port: MessagePort;
}

interface ThreadResponse {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: ArrayBuffer;
}

/**
 * Runs the webhooks in a separate thread, because a review of several megabytes takes some time and the probes must
 * respond meanwhile. When that thread ends, the program exits.
 *
 * @param file - the file that the thread runs; it must call {@link answerReviews}
 * @param respond - handles the probes in this thread
 */
export function reviewsInThread(file: URL, respond: RespondToRequest): RespondToRequest {
  const thread = new Worker(file, { argv: process.argv.slice(2) });
  const end = (cause: string) => {
    writeLine(logLine("error", `the review thread has ended: ${cause}`));
    process.exit(1);
  };
  thread.on("error", (error) => end(errorMessage(error)));
  thread.on("exit", (code) => end(`exit code ${code}`));
  return async (request) => {
    const { method, url, headers, body } = request;
    if (/^\/(healthz|readyz)$/.test(new URL(url).pathname)) return respond(request);
    const { port1, port2 } = new MessageChannel();
    const sent: ThreadRequest = { method, url, headers: [...headers], body, port: port2 };
    thread.postMessage(sent, body === null ? [port2] : [port2, body as never]);
    const [answered] = (await once(port1, "message")) as [ThreadResponse];
    port1.close();
    return new Response(answered.body, {
      status: answered.status,
      headers: answered.headers as [string, string][],
    });
  };
}

/** Handles the requests that the main thread sends. */
export function answerReviews(respond: RespondToRequest): void {
  parentPort?.on("message", async ({ method, url, headers, body, port }: ThreadRequest) => {
    const init = { method, headers: headers as [string, string][], body, duplex: "half" };
    const response = await respond(new Request(url, init as RequestInit));
    const answered: ThreadResponse = {
      status: response.status,
      headers: [...response.headers],
      body: await response.arrayBuffer(),
    };
    port.postMessage(answered, [answered.body]);
  });
}
