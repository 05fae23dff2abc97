import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { FilesAndClock } from "../input/sources.ts";

/** How a call of kubectl ended. */
export interface KubectlResult {
  /** Absent when a signal ended it, or when it could not be started. */
  readonly exitCode?: number;
  /** Why it could not be started: the code of the system's error. */
  readonly startError?: string;
  /** The beginning of what it said on standard error. */
  readonly stderr: string;
}

/** What a call of kubectl is given besides its arguments. */
export interface KubectlCall {
  /** Called with its standard output, as it comes; to answer `false` ends the call. */
  readonly onStdout: (bytes: Uint8Array) => boolean;
  /** Whether kubectl may ask the user at the terminal to log in. */
  readonly canPrompt: boolean;
  /** Ends the call. */
  readonly signal?: AbortSignal;
}

/** Calls kubectl; nothing is thrown. */
export type Kubectl = (args: readonly string[], call: KubectlCall) => Promise<KubectlResult>;

/** The world of a command with the means to ask a cluster that is there. */
export interface FilesAndCluster extends FilesAndClock {
  readonly kubectl: Kubectl;
}

/** How much is kept of what kubectl says on standard error. */
const MAX_STDERR = 1 << 14;

/** The signals that end a program whose user has lost patience. */
const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Runs the kubectl on the path. Its messages are shown on a terminal at once, because it may ask for a login. If this
 * process is terminated, kubectl ends first.
 *
 * @param ask - shows a piece of kubectl's output; absent without a user who could answer
 */
export function createKubectl(
  env: Readonly<Record<string, string | undefined>>,
  ask?: (said: string) => void,
): Kubectl {
  return async (args, { onStdout, canPrompt, signal }) => {
    let said = "";
    let started: ChildProcess | undefined;
    // A signal that arrived between the start and a later registration would leave kubectl behind.
    const forget = onEnd(() => started?.kill(), signal);
    try {
      const child = spawn("kubectl", args, {
        env: { ...env },
        stdio: [canPrompt && ask !== undefined ? "inherit" : "ignore", "pipe", "pipe"],
      });
      started = child;
      if (signal?.aborted) child.kill();
      child.stderr?.setEncoding("utf8").on("data", (text: string) => {
        if (said.length < MAX_STDERR) said += text.slice(0, MAX_STDERR);
        if (canPrompt) ask?.(text);
      });
      child.stdout?.on("data", (bytes: Uint8Array) => {
        if (!onStdout(bytes)) child.kill();
      });
      const [exitCode] = (await once(child, "close")) as [number | null];
      return { stderr: said, ...(exitCode !== null && { exitCode }) };
    } catch (error) {
      const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
      return { stderr: said, startError: code };
    } finally {
      forget();
    }
  };
}

/**
 * Calls `end` when the signal is given, or when this process gets a signal to end, which it then does.
 *
 * @returns a function that takes all of this back
 */
function onEnd(end: () => void, signal: AbortSignal | undefined): () => void {
  const forget = () => {
    for (const name of signals) process.off(name, endBoth);
    signal?.removeEventListener("abort", end);
  };
  const endBoth = (name: NodeJS.Signals) => {
    end();
    forget();
    process.kill(process.pid, name);
  };
  for (const name of signals) process.on(name, endBoth);
  signal?.addEventListener("abort", end);
  return forget;
}
