import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename } from "node:path";

/**
 * How the user called the program. One file serves all three names, because npx runs a package only if all its bins are
 * one file.
 */
export interface Invocation {
  /** The command that the user types. */
  readonly command: "jobset" | "kubectl jobset" | "npx --yes @jobset-ts/cli";
  /** Whether kubectl requests completions of the arguments. */
  readonly isCompletion: boolean;
}

/** The properties by which an invocation is recognized. */
export interface Caller {
  /** The path of the program, as in `process.argv[1]`. It is often a link with the name of the bin. */
  readonly program: string;
  /** Whether standard output is a terminal. kubectl reads completions from a pipe. */
  readonly isTTY: boolean;
  /** Whether npx starts the program. Then the program may not be on the path. */
  readonly isNpx: boolean;
  /**
   * Returns the command line of the parent process. It is slow on some systems, so it is called only if the name is
   * lost.
   */
  readonly parentCommand: () => string;
}

const COMPLETION = "kubectl_complete-jobset";

/** Matches the parent process of a completion: kubectl under any name, or a launcher. */
const COMPLETION_PARENT = /^\S+ __complete(NoDesc)? |[\\/]kubectl_complete-jobset[."' ]/;

/**
 * Returns how the user called the program, by its name. Launchers that start the file directly lose the name, such as
 * npm's `.cmd` files on Windows and pnpm's scripts. Then the parent process decides, which is `kubectl __complete …` or
 * the launcher.
 *
 * @see cobra, `ShellCompRequestCmd`: `__complete`, and `__completeNoDesc` without descriptions
 */
export function recognizeInvocation(caller: Caller): Invocation {
  const { program, isTTY, isNpx, parentCommand } = caller;
  const name = basename(program).replace(/\.\w+$/, "");
  if (name === COMPLETION) return { command: "kubectl jobset", isCompletion: true };
  if (name === "kubectl-jobset") return { command: "kubectl jobset", isCompletion: false };
  const isCompletion = name !== "jobset" && !isTTY && COMPLETION_PARENT.test(parentCommand());
  if (isCompletion) return { command: "kubectl jobset", isCompletion };
  return { command: isNpx ? "npx --yes @jobset-ts/cli" : "jobset", isCompletion };
}

/**
 * Returns the command line of the parent process, with spaces between the words. Empty if the system does not show it.
 */
export function parentCommand(): string {
  const { env, platform, ppid } = process;
  if (platform === "linux") {
    try {
      return readFileSync(`/proc/${ppid}/cmdline`, "utf8").replaceAll("\0", " ");
    } catch {
      return "";
    }
  }
  if (platform !== "win32") return runAndReadOutput("ps", ["-o", "args=", "-p", `${ppid}`]);
  // PowerShell needs half a second. It is started only in sessions in which kubectl has completed something before.
  // kubectl's script for PowerShell sets this variable.
  if (env.KUBECTL_ACTIVE_HELP === undefined) return "";
  const query = `(Get-CimInstance Win32_Process -Filter "ProcessId=${ppid}").CommandLine`;
  return runAndReadOutput("powershell", ["-NoProfile", "-Command", query]);
}

function runAndReadOutput(command: string, args: readonly string[]): string {
  return spawnSync(command, args, { encoding: "utf8" }).stdout ?? "";
}
