import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { type Came, sendOverTls, sendText, truncateStart } from "./https-client.ts";
import type { Recording } from "./recording.ts";

/** A proxy in its own process, and a client for it. */
export class RunningProxy {
  readonly #child: ChildProcess;
  readonly #to: { readonly port: number; readonly ca: string };
  #log = "";
  /** What it wrote to standard output. */
  output = "";
  /** Its exit code, once it has ended. */
  readonly ended: Promise<unknown>;

  /** @param ca - who signed its certificate, as PEM text */
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

  /** How long its main thread has computed so far, in milliseconds, as Linux knows. */
  mainThreadMs(): number {
    // The nanoseconds on a processor come first.
    const [nanoseconds] = readFileSync(`/proc/${this.#child.pid}/schedstat`, "utf8").split(" ");
    return Number(nanoseconds) / 1e6;
  }

  /** How long all its threads have computed so far, those that have ended, too: to the nearest 10 ms. */
  allThreadsMs(): number {
    const stat = readFileSync(`/proc/${this.#child.pid}/stat`, "utf8");
    // After the name, which may contain spaces: user and system time in hundredths of a second.
    const [own, kernel] = stat.slice(stat.lastIndexOf(")")).split(" ").slice(12, 14);
    return 10 * (Number(own) + Number(kernel));
  }

  /** The lines that it wrote to standard error, each JSON. */
  logLines(): readonly unknown[] {
    // What is behind the last line end is still being written.
    const lines = this.#log.split("\n").slice(0, -1);
    return lines.filter((line) => line !== "").map((line) => JSON.parse(line));
  }

  get(path: string): Promise<Came> {
    return sendOverTls({ ...this.#to, path });
  }

  /** Sends what the API server sent when this was recorded. */
  answer({ request: { path, body } }: Pick<Recording, "request">): Promise<Came> {
    return sendOverTls({ ...this.#to, method: "POST", path, body: JSON.stringify(body) });
  }

  /** The review that comes back. */
  async review(recording: Pick<Recording, "request">): Promise<unknown> {
    const { status, text } = await this.answer(recording);
    return { status, body: JSON.parse(text) };
  }

  /** Sends the beginning of a POST, and answers what comes: words, which end with their line. */
  begin(...post: Parameters<typeof truncateStart>): Promise<string> {
    const isWhole = (came: string) => /\r\n\r\n.*\w\n/s.test(came);
    return sendText({ ...this.#to, text: truncateStart(...post) }, isWhole);
  }

  /** Resolves when it answers; a worker does not say that it is ready. */
  async listening(): Promise<void> {
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
