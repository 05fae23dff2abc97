import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import type { LogLine } from "@jobset-ts/controller-runtime";
import { eventually } from "../../../../packages/controller-runtime/src/testing/eventually.ts";

/** Bundles the program into one file, as `controller.mjs` does. */
async function bundleProgram(): Promise<string> {
  const example = join(import.meta.dirname, "..", "..");
  const scripts = join(example, "..", "..", "scripts", "program.mjs");
  const { bundleProgram } = await import(pathToFileURL(scripts).href);
  return bundleProgram("controller", example);
}

let program: Promise<string> | undefined;

/** A controller in its own process, as a test suite uses it. */
export class ControllerProcess {
  /** The JSON lines that it wrote to standard output, and its standard error. */
  readonly said: unknown[] = [];
  readonly logged: LogLine[] = [];
  /** Standard output that is not JSON. */
  text = "";
  /** Resolves with the exit code. */
  readonly ended: Promise<number | null>;
  readonly #child: ChildProcess;

  /**
   * @param input - `ignore` for a standard input that no process holds, as in a Pod
   * @param nodeFlags - command-line flags for Node
   */
  static async start(
    args: readonly string[],
    input: "pipe" | "ignore" = "pipe",
    nodeFlags: readonly string[] = [],
  ): Promise<ControllerProcess> {
    program ??= bundleProgram();
    return new ControllerProcess([...nodeFlags, await program, ...args], input);
  }

  private constructor(args: readonly string[], input: "pipe" | "ignore") {
    this.#child = spawn(process.execPath, args, { stdio: [input, "pipe", "pipe"] });
    this.#read("stdout", this.said);
    this.#read("stderr", this.logged);
    this.ended = new Promise((resolve) => this.#child.once("close", (code) => resolve(code)));
  }

  /** Writes a line to standard input and returns the response. */
  async request(line: string): Promise<unknown> {
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

  /** Returns the nice values of its threads, starting with the main thread. Works only on Linux. */
  threadPriorities(): readonly number[] {
    const tasks = `/proc/${this.#child.pid}/task`;
    return readdirSync(tasks).map((thread) => {
      const stat = readFileSync(`${tasks}/${thread}/stat`, "utf8");
      // The command name is in parentheses and may contain anything. The nice value is the 17th field after it.
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
