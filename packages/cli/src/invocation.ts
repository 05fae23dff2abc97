import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename } from "node:path";

/** How the program was called. One file serves all three names, since npx runs a package only if all its bins are one file. */
export interface Invocation {
  /** What the user types to call it. */
  readonly command: "jobset" | "kubectl jobset" | "npx --yes @jobset-ts/cli";
  /** Whether kubectl requests completions of the arguments. */
  readonly isCompletion: boolean;
}

/** What an invocation can be recognized by. */
export interface Caller {
  /** The path of the program, as in `process.argv[1]`: often a link with the name of the bin. */
  readonly program: string;
  /** Whether standard output is a terminal; kubectl reads completions from a pipe. */
  readonly isTTY: boolean;
  /** Whether npx starts it: then it may not be on the path. */
  readonly isNpx: boolean;
  /** Returns the command line of the parent process. Slow on some systems, so it is called only if the name is lost. */
  readonly parentCommand: () => string;
}

const COMPLETION = "kubectl_complete-jobset";

/** What the parent process is if kubectl requests completions: kubectl itself, under any name, or a launcher. */
const requestsCompletion = /^\S+ __complete(NoDesc)? |[\\/]kubectl_complete-jobset[."' ]/;

/**
 * Returns how the program was called, by its name. Launchers that start the file itself lose the name (the `.cmd` files of npm on
 * Windows, the scripts of pnpm): then the parent process decides. It is `kubectl __complete …`, or the launcher itself.
 *
 * @see cobra, `ShellCompRequestCmd`: `__complete`, and `__completeNoDesc` without descriptions
 */
export function recognizeInvocation(caller: Caller): Invocation {
  const { program, isTTY, isNpx, parentCommand } = caller;
  const name = basename(program).replace(/\.\w+$/, "");
  if (name === COMPLETION) return { command: "kubectl jobset", isCompletion: true };
  if (name === "kubectl-jobset") return { command: "kubectl jobset", isCompletion: false };
  const isCompletion = name !== "jobset" && !isTTY && requestsCompletion.test(parentCommand());
  if (isCompletion) return { command: "kubectl jobset", isCompletion };
  return { command: isNpx ? "npx --yes @jobset-ts/cli" : "jobset", isCompletion };
}

/** Returns the command line of the parent process, with spaces between the words; empty if the system does not show it. */
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
  // PowerShell takes half a second, so it is started only in sessions in which kubectl has completed something before: its
  // script for PowerShell sets this variable.
  if (env.KUBECTL_ACTIVE_HELP === undefined) return "";
  const query = `(Get-CimInstance Win32_Process -Filter "ProcessId=${ppid}").CommandLine`;
  return runAndReadOutput("powershell", ["-NoProfile", "-Command", query]);
}

function runAndReadOutput(command: string, args: readonly string[]): string {
  return spawnSync(command, args, { encoding: "utf8" }).stdout ?? "";
}
