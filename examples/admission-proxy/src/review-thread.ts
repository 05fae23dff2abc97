import { once } from "node:events";
import process from "node:process";
import { MessageChannel, type MessagePort, parentPort, Worker } from "node:worker_threads";
import { errorMessage, logLine, writeLine } from "@jobset-ts/controller-runtime";

type Answer = (request: Request) => Promise<Response>;

/** A request on its way to the other thread. Its body is a stream, and goes piece by piece. */
interface Sent {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: ReadableStream | null;
  /** Where the answer is awaited. */
  readonly port: MessagePort;
}

interface Answered {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: ArrayBuffer;
}

/**
 * Runs the webhooks in a separate thread, because a review of several megabytes takes a while and the probes have to
 * respond meanwhile. When that thread ends, the program exits.
 *
 * @param file - what the thread runs, which has to call {@link answerReviews}
 * @param answer - answers the probes, here
 */
export function reviewsInThread(file: URL, answer: Answer): Answer {
  const thread = new Worker(file, { argv: process.argv.slice(2) });
  const end = (cause: string) => {
    writeLine(logLine("error", `the thread of the reviews has ended: ${cause}`));
    process.exit(1);
  };
  thread.on("error", (error) => end(errorMessage(error)));
  thread.on("exit", (code) => end(`its exit code is ${code}`));
  return async (request) => {
    const { method, url, headers, body } = request;
    if (/^\/(healthz|readyz)$/.test(new URL(url).pathname)) return answer(request);
    const { port1, port2 } = new MessageChannel();
    const sent: Sent = { method, url, headers: [...headers], body, port: port2 };
    thread.postMessage(sent, body === null ? [port2] : [port2, body as never]);
    const [answered] = (await once(port1, "message")) as [Answered];
    port1.close();
    return new Response(answered.body, {
      status: answered.status,
      headers: answered.headers as [string, string][],
    });
  };
}

/** What the thread does: it answers what it is sent. */
export function answerReviews(answer: Answer): void {
  parentPort?.on("message", async ({ method, url, headers, body, port }: Sent) => {
    const init = { method, headers: headers as [string, string][], body, duplex: "half" };
    const response = await answer(new Request(url, init as RequestInit));
    const answered: Answered = {
      status: response.status,
      headers: [...response.headers],
      body: await response.arrayBuffer(),
    };
    port.postMessage(answered, [answered.body]);
  });
}
