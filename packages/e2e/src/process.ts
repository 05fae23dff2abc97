import { type ChildProcess, spawn } from "node:child_process";
import { openSync, readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";

/** The unit of process times in Linux, the same on every machine. */
const TICKS_PER_SECOND = 100;

/** A child process whose output goes to a file. */
export class Process {
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;

  /**
   * @param logFile - the file for standard error, and for standard output unless the caller reads
   * it
   */
  constructor(
    command: string,
    args: readonly string[],
    options: {
      readonly logFile: string;
      readonly readsOutput?: boolean;
      readonly cwd?: string;
      /** Variables in addition to the environment of this process. */
      readonly env?: Readonly<Record<string, string>>;
    },
  ) {
    const log = openSync(options.logFile, "a");
    this.#child = spawn(command, args, {
      stdio: ["pipe", options.readsOutput ? "pipe" : log, log],
      env: { ...process.env, ...options.env },
      ...(options.cwd !== undefined && { cwd: options.cwd }),
    });
    this.#child.stdin?.on("error", () => {}); // The process has exited, and its exit code reports the reason.
    this.#ended = new Promise((resolve) => this.#child.once("close", () => resolve()));
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  get output(): NonNullable<ChildProcess["stdout"]> | null {
    return this.#child.stdout;
  }

  /** Returns the resident memory in bytes, or 0 if the system does not report it. */
  residentBytes(): number {
    try {
      const status = readFileSync(`/proc/${this.#child.pid}/status`, "utf8");
      const [, kilobytes = "0"] = /VmRSS:\s+(\d+)/.exec(status) ?? [];
      return Number(kilobytes) * 1024;
    } catch {
      return 0;
    }
  }

  /** Returns the CPU time of all threads in seconds, or 0 if the system does not report it. */
  cpuSeconds(): number {
    try {
      const stat = readFileSync(`/proc/${this.#child.pid}/stat`, "utf8");
      // The command name is in parentheses and may contain anything. The times are the 12th and 13th fields after it.
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
    } catch {
      return 0;
    }
  }

  write(line: string): void {
    this.#child.stdin?.write(`${line}\n`);
  }

  /** Kills the process, as a crash does. */
  async kill(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#ended;
  }

  /** Requests the process to exit, and kills it after a timeout. */
  async stop(withinMs = 5_000): Promise<void> {
    if (this.hasEnded) return;
    this.#child.kill("SIGTERM");
    const late = setTimeout(withinMs, "late", { ref: false });
    if ((await Promise.race([this.#ended, late])) === "late") await this.kill();
  }
}
