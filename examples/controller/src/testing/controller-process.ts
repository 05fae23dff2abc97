import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import type { LogLine } from "@jobset-ts/controller-runtime";
import { eventually } from "../../../../packages/controller-runtime/src/testing/eventually.ts";

/** The file that `controller.mjs` runs: the program in one piece. */
async function bundled(): Promise<string> {
  const example = join(import.meta.dirname, "..", "..");
  const scripts = join(example, "..", "..", "scripts", "program.mjs");
  const { bundleProgram } = await import(pathToFileURL(scripts).href);
  return bundleProgram("controller", example);
}

let program: Promise<string> | undefined;

/** The controller in its own process, as a test suite drives it. */
export class ControllerProcess {
  /** What it has said on standard output, and on standard error. */
  readonly said: unknown[] = [];
  readonly logged: LogLine[] = [];
  /** Standard output that is not JSON. */
  text = "";
  /** The exit code, once it has ended. */
  readonly ended: Promise<number | null>;
  readonly #child: ChildProcess;

  /**
   * @param input - `ignore` for a standard input that nobody holds, as in a Pod
   * @param nodeFlags - what Node itself is told
   */
  static async start(
    args: readonly string[],
    input: "pipe" | "ignore" = "pipe",
    nodeFlags: readonly string[] = [],
  ): Promise<ControllerProcess> {
    program ??= bundled();
    return new ControllerProcess([...nodeFlags, await program, ...args], input);
  }

  private constructor(args: readonly string[], input: "pipe" | "ignore") {
    this.#child = spawn(process.execPath, args, { stdio: [input, "pipe", "pipe"] });
    this.#read("stdout", this.said);
    this.#read("stderr", this.logged);
    this.ended = new Promise((resolve) => this.#child.once("close", (code) => resolve(code)));
  }

  /** Writes a line to standard input, and answers what is said to it. */
  async ask(line: string): Promise<unknown> {
    const { length } = this.said;
    this.write(line);
    await eventually(`${line} is answered`, () => this.said.length > length);
    return this.said.at(-1);
  }

  write(line: string): void {
    this.#child.stdin?.write(`${line}\n`);
  }

  async ready(): Promise<void> {
    await eventually("it says that it is ready", () => this.said.length > 0);
  }

  closeInput(): void {
    this.#child.stdin?.end();
  }

  signal(signal: "SIGTERM" | "SIGINT" | "SIGKILL"): void {
    this.#child.kill(signal);
  }

  /** The nice values of its threads, the main one's first; only Linux tells them. */
  threadPriorities(): readonly number[] {
    const tasks = `/proc/${this.#child.pid}/task`;
    return readdirSync(tasks).map((thread) => {
      const stat = readFileSync(`${tasks}/${thread}/stat`, "utf8");
      // The name of the command, in parentheses, may hold anything; of what follows it, the 17th.
      return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[16]);
    });
  }

  #read(stream: "stdout" | "stderr", into: unknown[]): void {
    const input = this.#child[stream];
    if (input === null) return;
    createInterface({ input }).on("line", (line) => {
      if (line.startsWith("{")) into.push(JSON.parse(line));
      else this.text += `${line}\n`;
    });
  }
}
