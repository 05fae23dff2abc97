import { type ChildProcess, spawn } from "node:child_process";
import { openSync, readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";

/** In what Linux tells times of processes, on every machine. */
const TICKS_PER_SECOND = 100;

/** A process of ours, whose output goes to a file. */
export class Process {
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;

  /** @param logFile - for standard error, and for standard output unless it is read */
  constructor(
    command: string,
    args: readonly string[],
    options: {
      readonly logFile: string;
      readonly readsOutput?: boolean;
      readonly cwd?: string;
      /** Beside the environment of this process. */
      readonly env?: Readonly<Record<string, string>>;
    },
  ) {
    const log = openSync(options.logFile, "a");
    this.#child = spawn(command, args, {
      stdio: ["pipe", options.readsOutput ? "pipe" : log, log],
      env: { ...process.env, ...options.env },
      ...(options.cwd !== undefined && { cwd: options.cwd }),
    });
    this.#child.stdin?.on("error", () => {}); // the process has ended, and its exit reports that
    this.#ended = new Promise((resolve) => this.#child.once("close", () => resolve()));
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  get output(): NonNullable<ChildProcess["stdout"]> | null {
    return this.#child.stdout;
  }

  /** What it holds in memory, in bytes; 0 where the system does not say. */
  residentBytes(): number {
    try {
      const status = readFileSync(`/proc/${this.#child.pid}/status`, "utf8");
      const [, kilobytes = "0"] = /VmRSS:\s+(\d+)/.exec(status) ?? [];
      return Number(kilobytes) * 1024;
    } catch {
      return 0;
    }
  }

  /** What it has computed so far, all threads together, in seconds; 0 where the system does not say. */
  cpuSeconds(): number {
    try {
      const stat = readFileSync(`/proc/${this.#child.pid}/stat`, "utf8");
      // The name of the command, in parentheses, may hold anything; of what follows it, the 12th and the 13th.
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
    } catch {
      return 0;
    }
  }

  write(line: string): void {
    this.#child.stdin?.write(`${line}\n`);
  }

  /** Ends it at once, as a crash does. */
  async kill(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#ended;
  }

  /** Asks it to end; insists after a while. */
  async stop(withinMs = 5_000): Promise<void> {
    if (this.hasEnded) return;
    this.#child.kill("SIGTERM");
    const late = setTimeout(withinMs, "late", { ref: false });
    if ((await Promise.race([this.#ended, late])) === "late") await this.kill();
  }
}
