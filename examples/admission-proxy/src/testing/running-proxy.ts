import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { formatPartialPost, type HttpsResponse, sendOverTls, sendText } from "./https-client.ts";
import type { Recording } from "./recording.ts";

/** A proxy in its own process, and a client for it. */
export class RunningProxy {
  readonly #child: ChildProcess;
  readonly #to: { readonly port: number; readonly ca: string };
  #log = "";
  /** The standard output of the process. */
  output = "";
  /** Resolves with the exit code. */
  readonly ended: Promise<unknown>;

  /** @param ca - the CA of its certificate, as PEM text */
  constructor(child: ChildProcess, port: number, ca: string) {
    this.#child = child;
    this.#to = { port, ca };
    child.stdout?.on("data", (chunk) => {
      this.output += chunk;
    });
    child.stderr?.on("data", (chunk) => {
      this.#log += chunk;
    });
    this.ended = once(child, "close").then(([code]) => code);
  }

  /** Returns the CPU time of the main thread in milliseconds. Works only on Linux. */
  mainThreadMs(): number {
    // The first number is the CPU time in nanoseconds.
    const [nanoseconds] = readFileSync(`/proc/${this.#child.pid}/schedstat`, "utf8").split(" ");
    return Number(nanoseconds) / 1e6;
  }

  /** Returns the CPU time of all threads, including threads that have ended, with a precision of 10 ms. */
  allThreadsMs(): number {
    const stat = readFileSync(`/proc/${this.#child.pid}/stat`, "utf8");
    // The fields follow the name, which may contain spaces. User and system time are in hundredths of a second.
    const [own, kernel] = stat.slice(stat.lastIndexOf(")")).split(" ").slice(12, 14);
    return 10 * (Number(own) + Number(kernel));
  }

  /** Parses the lines of standard error, each of which is JSON. */
  logLines(): readonly unknown[] {
    // The text after the last newline is incomplete.
    const lines = this.#log.split("\n").slice(0, -1);
    return lines.filter((line) => line !== "").map((line) => JSON.parse(line));
  }

  get(path: string): Promise<HttpsResponse> {
    return sendOverTls({ ...this.#to, path });
  }

  /** Sends the recorded request of the API server. */
  replay({ request: { path, body } }: Pick<Recording, "request">): Promise<HttpsResponse> {
    return sendOverTls({ ...this.#to, method: "POST", path, body: JSON.stringify(body) });
  }

  /** Sends a recorded request and returns the review in the response. */
  async review(recording: Pick<Recording, "request">): Promise<unknown> {
    const { status, text } = await this.replay(recording);
    return { status, body: JSON.parse(text) };
  }

  /** Sends the start of a POST and returns the response text, which ends with a newline. */
  sendPartially(...post: Parameters<typeof formatPartialPost>): Promise<string> {
    const isWhole = (received: string) => /\r\n\r\n.*\w\n/s.test(received);
    return sendText({ ...this.#to, text: formatPartialPost(...post) }, isWhole);
  }

  /** Waits until the proxy responds, because a worker does not report readiness. */
  async waitUntilListening(): Promise<void> {
    let hasEnded = false;
    void this.ended.then(() => {
      hasEnded = true;
    });
    for (;;) {
      try {
        await this.get("/healthz");
        return;
      } catch (error) {
        if (hasEnded) throw new Error(`it has ended: ${this.#log}`, { cause: error });
        await setTimeout(20);
      }
    }
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  closeInput(): void {
    this.#child.stdin?.end();
  }
}
