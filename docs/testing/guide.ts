import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import process from "node:process";

/** The exit code of a command, and its output on both streams. */
export interface Ran {
  readonly status: number | null;
  readonly output: string;
}

/** The time in milliseconds after which a command counts as one that does not end. */
const commandLimit = 240_000;

/**
 * An empty folder in which a reader follows a page, with a home folder and a folder for global
 * packages next to it. npm finds our packages in the registry of the check. A stand-in for kubectl
 * shows a recorded cluster.
 */
export class GuideFolder {
  readonly #all = mkdtempSync(join(tmpdir(), "jobset-ts-guide-"));
  /** The folder itself. */
  readonly path = join(this.#all, "folder");
  readonly #home = join(this.#all, "home");
  readonly #global = join(this.#all, "global");
  readonly #npm: Readonly<Record<string, string>>;

  /** @param npm - the variables that configure npm, as in `npmVariables` of the check */
  constructor(npm: Readonly<Record<string, string>>) {
    this.#npm = npm;
    for (const folder of [this.path, this.#home, this.#global]) mkdirSync(folder);
    const kubectl = join(this.#global, "bin", "kubectl");
    mkdirSync(join(this.#global, "bin"));
    const program = join(import.meta.dirname, "kubectl.mjs");
    const call = `exec '${process.execPath}' '${program}' "$@"`;
    writeFileSync(kubectl, `#!/bin/sh\n${call}\n`, { mode: 0o755 });
  }

  save(file: string, text: string): void {
    writeFileSync(join(this.path, file), `${text}\n`);
  }

  /**
   * Runs a command line as a shell does.
   *
   * @throws Error if the shell cannot be started, or if the command does not end
   */
  run(command: string): Ran {
    const options = { ...this.#options(), encoding: "utf8", timeout: commandLimit } as const;
    const ran = spawnSync("bash", ["-o", "pipefail", "-c", command], options);
    if (ran.error !== undefined) throw ran.error;
    return { status: ran.status, output: `${ran.stdout}${ran.stderr}`.replace(/\n$/, "") };
  }

  /**
   * Runs a command line that does not end by itself until it prints something or ends. Returns its output.
   *
   * @throws Error if the shell cannot be started
   */
  async runUntilOutput(command: string): Promise<string> {
    // A separate process group, so that a signal reaches each process of the command.
    const options = { ...this.#options(), detached: true, timeout: commandLimit } as const;
    const shell = spawn("bash", ["-c", command], options);
    const ended = once(shell, "close");
    let output = "";
    const interrupt = (text: string) => {
      if (output === "" && shell.pid !== undefined) process.kill(-shell.pid, "SIGINT");
      output += text;
    };
    shell.stdout.setEncoding("utf8").on("data", interrupt);
    shell.stderr.setEncoding("utf8").on("data", interrupt);
    await ended;
    return output;
  }

  #options() {
    // Omits the environment variables of the npm and test runner processes that run this test.
    const inherited = Object.entries(process.env).filter(
      ([name]) => !/^(VITEST|NODE_|npm_|INIT_CWD|FORCE_COLOR|JOBSET_)/.test(name),
    );
    const env = {
      ...Object.fromEntries(inherited),
      ...this.#npm,
      npm_config_prefix: this.#global,
      HOME: this.#home,
      PATH: [join(this.#global, "bin"), process.env.PATH].join(delimiter),
      NO_COLOR: "1",
      CI: "1",
    };
    return { cwd: this.path, env };
  }

  remove(): void {
    rmSync(this.#all, { recursive: true });
  }
}
